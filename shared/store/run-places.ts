import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Random, UserId } from '../domain/id.ts';
import { BATCH_WORK_MS } from '../domain/time-limits.ts';
import { runPlacesKey } from './keys.ts';
import { conditionally, epochPrefix, type TableOptions } from './table-client.ts';

/** The long runs of each user in flight. Each has a place, which it gives back at its end. */
export interface RunPlaceStore {
  /** Takes a place. Undefined when the user has `limit` of them. */
  take(ownerId: UserId, options: { limit: number; now: number }): Promise<string | undefined>;
  release(ownerId: UserId, place: string): Promise<void>;
}

/** A place of an invocation that died is void after this time: no invocation works for longer. */
const LIFETIME_SECONDS = BATCH_WORK_MS / 1_000 + 60;

const PlacesItem = z.object({ places: z.set(z.string()).default(new Set()) });

/** A place's text is the second, in base 36, at which it is void, its epoch and a random part. */
const isVoid = (place: string, { now, prefix }: { now: number; prefix: string }): boolean =>
  parseInt(place, 36) * 1_000 < now || !place.slice(place.indexOf('-') + 1).startsWith(prefix);

export function runPlaceStore(table: TableOptions, random: Random): RunPlaceStore {
  const { dynamo, tableName } = table;
  const prefix = epochPrefix(table);

  /** Safe to repeat, as the SDK does when a response was lost: the place of the first attempt counts as taken. */
  const add = async (ownerId: UserId, place: string, { limit, until }: { limit: number; until: number }) =>
    (await conditionally(() =>
      dynamo.send(
        new UpdateCommand({
          TableName: tableName,
          Key: runPlacesKey(ownerId),
          UpdateExpression: 'ADD places :places SET expiresAt = :until',
          ConditionExpression:
            'attribute_not_exists(places) OR size(places) < :limit OR contains(places, :place)',
          ExpressionAttributeValues: {
            ':places': new Set([place]),
            ':place': place,
            ':limit': limit,
            ':until': until,
          },
        }),
      ),
    )) !== undefined;

  const remove = async (ownerId: UserId, places: ReadonlySet<string>) => {
    await dynamo.send(
      new UpdateCommand({
        TableName: tableName,
        Key: runPlacesKey(ownerId),
        UpdateExpression: 'DELETE places :places',
        ExpressionAttributeValues: { ':places': places },
      }),
    );
  };

  /** False when there is none. */
  async function removeVoid(ownerId: UserId, now: number): Promise<boolean> {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: tableName, Key: runPlacesKey(ownerId), ConsistentRead: true }),
    );
    const { places } = PlacesItem.parse(Item ?? {});
    const old = new Set([...places].filter((place) => isVoid(place, { now, prefix })));
    if (old.size > 0) await remove(ownerId, old);
    return old.size > 0;
  }

  return {
    async take(ownerId, { limit, now }) {
      const until = Math.ceil(now / 1_000) + LIFETIME_SECONDS;
      const place = `${until.toString(36)}-${prefix}${Buffer.from(random(6)).toString('base64url')}`;
      if (await add(ownerId, place, { limit, until })) return place;
      const isTaken = (await removeVoid(ownerId, now)) && (await add(ownerId, place, { limit, until }));
      return isTaken ? place : undefined;
    },

    release: (ownerId, place) => remove(ownerId, new Set([place])),
  };
}
