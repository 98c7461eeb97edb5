import { bearerToken } from '../../domain/user/bearer.ts';
import { portalTokens } from '../../domain/webhook/portal-token.ts';
import { type Caller, type Credentials, unauthenticated } from '../authentication.ts';
import { createTokenSigner, type TokenSignerOptions } from './token-signer.ts';

interface PortalAuthentication extends TokenSignerOptions {
  byKey: (credentials: Credentials) => Promise<Caller>;
}

/** Authenticates a request about a webhook: by its key, or by the token of a portal link in the place of the key. */
export function createPortalAuthenticator({ byKey, users, now }: PortalAuthentication) {
  const signerOf = createTokenSigner({ users, now });
  return async (credentials: Credentials): Promise<Caller> => {
    const token = bearerToken(credentials.authorization);
    if (token?.startsWith('pt_') !== true) return byKey(credentials);
    const claims = portalTokens.claimsOf(token, now());
    const keyHash = claims && (await signerOf(token, claims.userId, 'manage'));
    if (!claims || keyHash === undefined) throw endedLink();
    return { userId: claims.userId, apiKey: token, keyHash, scopes: [], portal: claims.webhookId };
  };
}

const endedLink = () => unauthenticated('This link has ended: ask the one who sent it for a new one.');
