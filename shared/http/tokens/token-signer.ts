import type { UserId } from '../../domain/id.ts';
import { isExpired, type Scope, scopesOfKey } from '../../domain/user/api-key.ts';
import { suspendedUser } from '../../domain/user/key-refusals.ts';
import { hasTokenSignature } from '../../domain/user/signed-token.ts';
import type { UserLookup } from '../../store/users/users.ts';

export interface TokenSignerOptions {
  users: Pick<UserLookup, 'find' | 'findByKeyHash' | 'listedHashes'>;
  now(): number;
}

/**
 * The hash of the key that signed a token of a user, if the key works and has the scope: the holder of any key can sign
 * a token. Throws for a suspended user.
 */
export function createTokenSigner({ users, now }: TokenSignerOptions) {
  return async (token: string, userId: UserId, scope: Scope): Promise<string | undefined> => {
    const user = await users.find(userId);
    const isSigner = (hash: string | undefined) => hash !== undefined && hasTokenSignature(token, hash);
    if (!user) return undefined;
    const signer = [user.keyHash, user.localKeyHash].find(isSigner) ?? (await listedSigner());
    if (signer !== undefined && user.suspendedAt !== undefined) throw suspendedUser();
    return signer;

    async function listedSigner(): Promise<string | undefined> {
      const hash = (await users.listedHashes(userId)).find(isSigner);
      const key = hash && (await users.findByKeyHash(hash));
      return key && !isExpired(key, now()) && scopesOfKey(key).includes(scope) ? hash : undefined;
    }
  };
}
