import { SubscriptionSettings } from '../../domain/subscription/subscription.ts';
import type { Key, Writes } from './table-client.ts';

const NAMES = Object.keys(SubscriptionSettings.shape);

/** Sets every setting of an item, or removes it, on condition that the item still belongs to the same subscription. */
export function settingsUpdate({
  TableName,
  key,
  id,
  settings,
}: {
  TableName: string;
  key: Key;
  id: string;
  settings: SubscriptionSettings;
}): Writes[number] {
  const set = NAMES.filter((name) => Reflect.get(settings, name) !== undefined);
  const removed = NAMES.filter((name) => Reflect.get(settings, name) === undefined);
  return {
    Update: {
      TableName,
      Key: key,
      UpdateExpression: [
        ...(set.length > 0 ? [`SET ${set.map((name) => `#${name} = :${name}`).join(', ')}`] : []),
        ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: 'id = :id',
      ExpressionAttributeNames: Object.fromEntries(NAMES.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':id': id,
        ...Object.fromEntries(set.map((name) => [`:${name}`, Reflect.get(settings, name)])),
      },
    },
  };
}

export const hasSettings = (stored: SubscriptionSettings, settings: SubscriptionSettings): boolean =>
  NAMES.every((name) => Reflect.get(stored, name) === Reflect.get(settings, name));
