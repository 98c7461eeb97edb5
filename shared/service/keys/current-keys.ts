import { ServiceError } from '../../domain/errors.ts';
import type { ApiKeyId, Random, UserId } from '../../domain/id.ts';
import { scopesOfRole } from '../../domain/person/person.ts';
import { type ApiKey, firstKeyId, isExpired, keyIdentity, type Scope, scopesOfKey } from '../../domain/user/api-key.ts';
import { hashOfKey } from '../../domain/user/key-hash.ts';
import { invalidKey, missingScope, suspendedUser } from '../../domain/user/key-refusals.ts';
import type { KeyList, KeyLists } from '../../store/users/key-lists.ts';
import type { SessionStore } from '../../store/users/sessions.ts';
import type { SignInSettingsStore } from '../../store/users/sign-in-settings-store.ts';
import type { UserLookup } from '../../store/users/users.ts';
import { apiKeyKey, sessionKey } from '../../store/table/keys.ts';
import type { Key } from '../../store/table/table-client.ts';
import { currentSession } from '../sessions/read-session.ts';

export interface KeyServices {
  users: Pick<UserLookup, 'find' | 'findKey'>;
  sessions: Pick<SessionStore, 'find'>;
  signInSettings: Pick<SignInSettingsStore, 'find'>;
  keyLists: Pick<KeyLists, 'read' | 'found' | 'change'>;
  random: Random;
  now(): number;
}

export interface KeyCaller {
  userId: UserId;
  /** Undefined with a session. */
  apiKey: string | undefined;
  session?: { hash: string };
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

/** The key of a request, or the session in its place. */
interface ReadCaller extends Pick<ApiKey, 'scopes' | 'validUntil'> {
  hash: string;
  /** Its item. */
  item: Key;
}

export interface CurrentKeys {
  caller: ReadCaller;
  list: KeyList;
  /** Newest first. */
  keys: readonly ListedKey[];
}

/**
 * Reads the key of the request anew: one that was deleted a moment ago still passes the authentication, and must not
 * make a key that outlives it.
 */
async function readKey({ users, now }: KeyServices, userId: UserId, apiKey: string) {
  const hash = hashOfKey(apiKey);
  const key = await users.findKey(hash);
  if (!key || !('userId' in key) || key.userId !== userId || isExpired(key, now())) throw invalidKey();
  if (key.suspendedAt !== undefined) throw suspendedUser();
  return { ...key, hash };
}

/** The same for a session, and for the settings that allow it. A key may outlive it, as the docs say. */
async function readSessionCaller(services: KeyServices, hash: string): Promise<ReadCaller> {
  const { sessions, signInSettings, users, now } = services;
  const session = await sessions.find(hash);
  const context = { readSettings: signInSettings.find, users, now };
  const current = session && (await currentSession(context, hash, session));
  if (!current) throw new ServiceError('unauthenticated', 'Your session has ended: sign in again.');
  return { hash, item: sessionKey(hash), scopes: [...scopesOfRole(current.role)] };
}

async function readList({ users, keyLists, now }: KeyServices, userId: UserId) {
  const [user, list] = await Promise.all([users.find(userId), keyLists.read(userId)]);
  if (!user) throw invalidKey();
  // An earlier state of the list may name the first key.
  const retired = list.retired.filter((each) => each.until > now() && each.hash !== user.keyHash);
  const overlapOf = (key: ApiKeyId) => retired.find(({ id }) => id === key);
  return { user, list: { ...list, retired }, overlapOf };
}

async function readCaller(services: KeyServices, { userId, apiKey, session }: KeyCaller): Promise<ReadCaller> {
  if (session) return readSessionCaller(services, session.hash);
  const key = await readKey(services, userId, apiKey ?? '');
  return { ...key, item: apiKeyKey(key.hash) };
}

export async function currentKeys(services: KeyServices, keyCaller: KeyCaller): Promise<CurrentKeys> {
  const { userId } = keyCaller;
  const [caller, { user, list, overlapOf }] = await Promise.all([
    readCaller(services, keyCaller),
    readList(services, userId),
  ]);
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
  if (apiKey === undefined)
    throw new ServiceError('not_found', 'A session has no key: GET /v1/session says whose it is.');
  const [caller, { user, overlapOf }] = await Promise.all([
    readKey(services, userId, apiKey),
    readList(services, userId),
  ]);
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
