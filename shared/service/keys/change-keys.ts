import { ServiceError } from '../../domain/errors.ts';
import { ApiKeyId, newId } from '../../domain/id.ts';
import { type ApiKey, firstKeyId, MAX_KEYS, newApiKey, type Scope } from '../../domain/user/api-key.ts';
import { hashOfKey } from '../../domain/user/key-hash.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import type { KeyListChange, KeyWrite } from '../../store/users/key-lists.ts';
import {
  checkWithin,
  type CurrentKeys,
  currentKeys,
  type KeyCaller,
  keyNamed,
  type KeyServices,
  type ListedKey,
} from './current-keys.ts';

export interface RequestedKey {
  name: string;
  scopes: readonly Scope[];
  validUntil: number | undefined;
}

/** Makes a key. Only the result has its secret. */
export async function createApiKey(
  services: KeyServices,
  caller: KeyCaller,
  { name, scopes, validUntil }: RequestedKey,
) {
  const { random, now } = services;
  const id = ApiKeyId.parse(newId('apiKey', now(), random));
  const secret = newApiKey(random);
  const hash = hashOfKey(secret);
  if (validUntil !== undefined && validUntil <= now()) throw endedBefore();
  return changing(services, caller, (current) => {
    const key = { ...NOT_USED, id, hash, name, scopes, validUntil: validUntil ?? current.caller.validUntil };
    checkWithin(current, key);
    if (current.keys.length >= MAX_KEYS)
      throw new ServiceError('limit_reached', `You have ${MAX_KEYS} keys. Delete one that you do not need.`);
    return {
      result: { key, secret },
      keys: [...listed(current), { id, hash }],
      retired: current.list.retired,
      writes: [{ hash, key: itemOf(caller, key), isNew: true }],
    };
  });
}

const NOT_USED = { lastUsedAt: undefined, overlapUntil: undefined, isCurrent: false };

const endedBefore = () =>
  new ServiceError('invalid_request', 'expires_at_ms must be a time to come, in ms since the epoch.', {
    details: [{ path: 'expires_at_ms', message: 'must be a time to come' }],
  });

/** Gives a key a new secret. The old one works for some time, and an earlier one ends at once. */
export function rotateApiKey(
  services: KeyServices,
  caller: KeyCaller,
  { id, overlapMs }: { id: ApiKeyId; overlapMs: number },
) {
  const secret = newApiKey(services.random);
  const hash = hashOfKey(secret);
  return changing(services, caller, (current) => {
    const now = services.now();
    const old = keyNamed(current, id);
    checkWithin(current, old, ['The rotated key', 'id', 'must be of a key that ends no later than']);
    const until = Math.min(now + overlapMs, old.validUntil ?? Infinity);
    const isFirst = id === firstKeyId(caller.userId);
    const hasOverlap = until > now;
    return {
      result: { key: { ...old, hash, lastUsedAt: undefined, overlapUntil: hasOverlap ? until : undefined }, secret },
      keys: listed(current).map((entry) => (entry.id === id ? { id, hash } : entry)),
      retired: [...withoutRetired(current, id), ...(hasOverlap ? [{ id, hash: old.hash, until }] : [])],
      writes: [
        { hash, key: isFirst ? { userId: caller.userId } : itemOf(caller, old), isNew: true },
        { hash: old.hash, key: { ...itemOf(caller, old), validUntil: until, retiredAt: now } },
        ...endedSecrets(current, id),
      ],
      ...(isFirst ? { firstHash: { from: old.hash, to: hash } } : {}),
    };
  });
}

/** Ends a key. The key of the request stays, so that a user always has one that can make others. */
export function deleteApiKey(services: KeyServices, caller: KeyCaller, id: ApiKeyId) {
  return changing(services, caller, (current) => {
    const key = keyNamed(current, id);
    if (key.isCurrent)
      throw new ServiceError('key_in_use', 'This request was made with this key: delete it with another one.');
    const isFirst = id === firstKeyId(caller.userId);
    return {
      result: key,
      keys: listed(current).filter((entry) => entry.id !== id),
      retired: withoutRetired(current, id),
      writes: [{ hash: key.hash }, ...endedSecrets(current, id)],
      // The hash of a secret that does not exist.
      ...(isFirst ? { firstHash: { from: key.hash, to: hashOfKey(newApiKey(services.random)) } } : {}),
    };
  });
}

type Change<Result> = Omit<KeyListChange, 'list' | 'next' | 'callerItem'> & KeyListChange['next'] & { result: Result };

const changing = <Result extends object>(
  services: KeyServices,
  caller: KeyCaller,
  changeOf: (current: CurrentKeys) => Change<Result>,
): Promise<Result> =>
  changeCurrent<CurrentKeys, Result>({
    find: () => currentKeys(services, caller),
    write: async (current) => {
      const { result, keys, retired, ...writes } = changeOf(current);
      const {
        list,
        caller: { item: callerItem },
      } = current;
      const isChanged = await services.keyLists.change(caller.userId, {
        ...writes,
        list,
        next: { keys, retired },
        callerItem,
      });
      return isChanged && result;
    },
  });

/** The keys beside the first. Those whose items have expired are left out. */
const listed = ({ list, keys }: CurrentKeys) => list.keys.filter(({ hash }) => keys.some((key) => key.hash === hash));

const withoutRetired = ({ list }: CurrentKeys, id: ApiKeyId) => list.retired.filter((each) => each.id !== id);

const endedSecrets = ({ list }: CurrentKeys, id: ApiKeyId): KeyWrite[] =>
  list.retired.filter((each) => each.id === id).map(({ hash }) => ({ hash }));

const itemOf = (
  { userId }: KeyCaller,
  { id, name, scopes, validUntil }: Pick<ListedKey, 'id' | 'name' | 'scopes' | 'validUntil'>,
): ApiKey => ({ userId, id, name, scopes: [...scopes], validUntil });
