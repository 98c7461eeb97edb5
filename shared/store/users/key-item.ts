import type { ApiKey } from '../../domain/user/api-key.ts';
import type { User } from '../../domain/user/user.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { apiKeyKey } from '../table/keys.ts';

/** The hash of a replaced key is kept for this time. */
const REPLACED_KEPT_MS = 30 * DAY_MS;

/** The item of a new key. */
export const keyPut = (
  TableName: string,
  { hash, user, onlyFrom }: { hash: string; user: Pick<User, 'id' | 'suspendedAt'> } & Pick<ApiKey, 'onlyFrom'>,
) => ({
  Put: {
    TableName,
    Item: keyItem(hash, { onlyFrom, userId: user.id, suspendedAt: user.suspendedAt }),
    ConditionExpression:
      'attribute_not_exists(pk) OR attribute_exists(replacedAt) OR (attribute_exists(retiredAt) AND userId = :userId)',
    ExpressionAttributeValues: { ':userId': user.id },
  },
});

/** The item stays for a while after the end of the key, so that a caller is told about the end. */
export const keyItem = (hash: string, key: ApiKey) => {
  const onlyFrom = key.id === undefined ? key.onlyFrom : [];
  const expiresAt = key.validUntil === undefined ? undefined : Math.floor((key.validUntil + REPLACED_KEPT_MS) / 1_000);
  const fields = Object.entries({ ...key, onlyFrom, expiresAt }).filter(([, value]) => value !== undefined);
  return { ...apiKeyKey(hash), ...Object.fromEntries(fields) };
};

export const replacedItem = (hash: string, replacedAt: number) => ({
  ...apiKeyKey(hash),
  replacedAt,
  expiresAt: Math.floor((replacedAt + REPLACED_KEPT_MS) / 1_000),
});
