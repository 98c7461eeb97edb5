import { ServiceError } from '../../domain/errors.ts';
import type { ApiKeyId, Random, UserId } from '../../domain/id.ts';
import { type ApiKey, firstKeyId, isExpired, keyIdentity, type Scope, scopesOfKey } from '../../domain/user/api-key.ts';
import { hashOfKey } from '../../domain/user/key-hash.ts';
import { invalidKey, missingScope, suspendedUser } from '../../domain/user/key-refusals.ts';
import type { KeyList, KeyLists } from '../../store/users/key-lists.ts';
import type { UserLookup } from '../../store/users/users.ts';

export interface KeyServices {
  users: Pick<UserLookup, 'find' | 'findKey'>;
  keyLists: Pick<KeyLists, 'read' | 'found' | 'change'>;
  random: Random;
  now(): number;
}

export interface KeyCaller {
  userId: UserId;
  apiKey: string;
}

/** A key as its user sees it. */
export interface ListedKey {
  id: ApiKeyId;
  hash: string;
  name: string;
  scopes: readonly Scope[];
  validUntil: number | undefined;
  lastUsedAt: number | undefined;
  /** An earlier secret works until then. */
  overlapUntil: number | undefined;
  /** Whether the request was made with it. */
  isCurrent: boolean;
}

export interface CurrentKeys {
  caller: ApiKey & { hash: string };
  list: KeyList;
  /** Newest first. */
  keys: readonly ListedKey[];
}

/**
 * Reads the key of the request anew: one that was deleted a moment ago still passes the authentication, and must not
 * make a key that outlives it.
 */
async function readCaller({ users, keyLists, now }: KeyServices, { userId, apiKey }: KeyCaller) {
  const hash = hashOfKey(apiKey);
  const [caller, user, list] = await Promise.all([users.findKey(hash), users.find(userId), keyLists.read(userId)]);
  const works = caller && 'userId' in caller && caller.userId === userId && !isExpired(caller, now());
  if (!user || !works) throw invalidKey();
  if (caller.suspendedAt !== undefined) throw suspendedUser();
  // An earlier state of the list may name the first key.
  const retired = list.retired.filter((each) => each.until > now() && each.hash !== user.keyHash);
  const overlapOf = (key: ApiKeyId) => retired.find(({ id }) => id === key);
  return { caller: { ...caller, hash }, user, list: { ...list, retired }, overlapOf };
}

export async function currentKeys(services: KeyServices, { userId, apiKey }: KeyCaller): Promise<CurrentKeys> {
  const { caller, user, list, overlapOf } = await readCaller(services, { userId, apiKey });
  const entries = [{ id: firstKeyId(userId), hash: user.keyHash }, ...list.keys];
  const found = await services.keyLists.found(entries.map(({ hash }) => hash));
  const keys = entries.flatMap((entry): ListedKey[] => {
    const key = found.get(entry.hash);
    const retired = overlapOf(entry.id);
    const isCurrent = [entry.hash, retired?.hash].includes(caller.hash);
    return key === undefined ? [] : [{ ...entry, ...shownOf(key), overlapUntil: retired?.until, isCurrent }];
  });
  return { caller, list, keys: keys.sort((a, b) => (a.id < b.id ? 1 : -1)) };
}

/** The key of the request, and its user. That of this machine is in no list. */
export async function currentKey(services: KeyServices, { userId, apiKey }: KeyCaller) {
  const { caller, user, overlapOf } = await readCaller(services, { userId, apiKey });
  const { id } = keyIdentity(caller);
  const key: ListedKey = {
    id,
    hash: caller.hash,
    ...shownOf(caller),
    overlapUntil: overlapOf(id)?.until,
    isCurrent: true,
  };
  return { key, user };
}

const shownOf = ({ scopes, validUntil, lastUsedAt, ...key }: ApiKey) => ({
  name: keyIdentity(key).name,
  scopes: scopesOfKey({ scopes }),
  validUntil,
  lastUsedAt,
});

export function keyNamed({ keys }: CurrentKeys, id: ApiKeyId): ListedKey {
  const found = keys.find((key) => key.id === id);
  if (!found) throw new ServiceError('not_found', `There is no ${id}.`);
  return found;
}

/** A key makes no key that may do more, or works longer, than itself. */
export function checkWithin(
  { caller }: CurrentKeys,
  { scopes, validUntil = Infinity }: Pick<ListedKey, 'scopes' | 'validUntil'>,
  [refused, path, rule] = ['The new key', 'expires_at_ms', 'must be at most'],
): void {
  const missing = scopes.find((scope) => !scopesOfKey(caller).includes(scope));
  if (missing !== undefined) throw missingScope(missing, refused);
  if (caller.validUntil === undefined || validUntil <= caller.validUntil) return;
  const latest = new Date(caller.validUntil).toISOString();
  throw new ServiceError(
    'invalid_request',
    `${refused} must not work longer than the key of the request, which ends at ${latest}.`,
    { details: [{ path, message: `${rule} ${caller.validUntil}` }] },
  );
}
