import * as z from 'zod';
import { SignInId, type UserId } from '../../domain/id.ts';
import { MAX_WAITING_SIGN_INS, STEP_MS } from '../../domain/oauth/sign-in.ts';
import { changeCurrent } from '../table/change-current.ts';
import { waitingSignInsKey } from '../table/keys.ts';
import { putItem } from '../table/item-writes.ts';
import { getItem, type TableOptions } from '../table/table-client.ts';

export type WaitingSignIns = ReturnType<typeof waitingSignIns>;

const WaitingItem = z.object({
  waiting: z.array(z.object({ id: SignInId, until: z.number() })).default([]),
  version: z.number().int().default(0),
});
type WaitingItem = z.infer<typeof WaitingItem>;

/** Limits the sign-ins of one user that wait. A sign-in that was not released waits no longer after its time. */
export function waitingSignIns(table: TableOptions) {
  async function read(ownerId: UserId, now: number): Promise<WaitingItem> {
    const Item = (await getItem(table, waitingSignInsKey(ownerId))) ?? {};
    const { waiting, version } = WaitingItem.parse(Item);
    return { waiting: waiting.filter(({ until }) => until > now), version };
  }

  const write = (ownerId: UserId, waiting: WaitingItem['waiting'], version: number) =>
    putItem(table, {
      Item: {
        ...waitingSignInsKey(ownerId),
        waiting,
        version: version + 1,
        expiresAt: Math.ceil(Math.max(0, ...waiting.map(({ until }) => until)) / 1_000),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
      ExpressionAttributeValues: { ':version': version },
    });

  return {
    /** The time at which one is free, epoch ms, when there are too many; else undefined. */
    async add(ownerId: UserId, id: SignInId, now: number): Promise<number | undefined> {
      const ADDED = { freeAt: undefined };
      const { freeAt } = await changeCurrent<WaitingItem, { freeAt: number | undefined }>({
        find: () => read(ownerId, now),
        write: async ({ waiting, version }) => {
          if (waiting.some((each) => each.id === id)) return ADDED;
          if (waiting.length >= MAX_WAITING_SIGN_INS) return { freeAt: Math.min(...waiting.map(({ until }) => until)) };
          return (await write(ownerId, [...waiting, { id, until: now + STEP_MS }], version)) && ADDED;
        },
      });
      return freeAt;
    },

    /** Best effort: it ends by itself. */
    async release(ownerId: UserId, id: SignInId, now: number): Promise<void> {
      const { waiting, version } = await read(ownerId, now);
      if (waiting.some((each) => each.id === id))
        await write(
          ownerId,
          waiting.filter((each) => each.id !== id),
          version,
        );
    },
  };
}
