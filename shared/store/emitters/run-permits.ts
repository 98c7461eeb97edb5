import * as z from 'zod';
import type { Random, UserId } from '../../domain/id.ts';
import { maySpend, SHARED_BEYOND } from '../../lib/sharing/fair-share.ts';
import { BATCH_WORK_MS } from '../../domain/time-limits.ts';
import { LONGEST_STREAM_MS } from '../../domain/live/stream-limits.ts';
import { runPermitsKey, slicePermitsKey, streamPermitsKey } from '../table/keys.ts';
import { updateItem, epochPrefix, getItem, type Key, type TableOptions } from '../table/table-client.ts';

/** Work of each user in flight that is limited. Each piece of it has a permit, which it gives back at its end. */
export interface PermitStore<Owner = UserId> {
  /** Takes a permit. Undefined when the user has `limit` of them, or the party has had its share of them. */
  take(ownerId: Owner, options: PermitRequest): Promise<string | undefined>;
  release(ownerId: Owner, permit: string): Promise<void>;
}

/** Permits whose text says at its end what they are for. */
export interface StreamPermitStore<Owner = UserId> extends PermitStore<Owner> {
  /** Those of a user that are in use. */
  taken(ownerId: Owner, now: number): Promise<ReadonlySet<string>>;
}

/** The owner of the permits of all backlogs. */
export const ALL_BACKLOGS = 'backlogs';

interface PermitRequest {
  limit: number;
  /** Becomes the end of the permit's text. */
  end?: string;
  /** Absent where the user has no parties that share the limit. */
  share?: PermitShare;
  now: number;
}

interface PermitShare {
  /** The id of what uses the permit, such as a source. */
  party: string;
  isOnlyParty(): Promise<boolean>;
}

interface PermitOptions<Owner> {
  keyOf(ownerId: Owner): Key;
  /** A permit of an invocation that died is void after this time: no invocation works for longer. */
  lifetimeSeconds: number;
  random: Random;
}

/** The attribute keeps its name of the first data format. */
const PermitsItem = z.object({ places: z.set(z.string()).default(new Set()) });

/** The party of a permit: two of a user's may have the same end by chance, and then share their share. */
const TAG_CHARACTERS = 6;
const tagOf = (party = ''): string => `.${party.slice(-TAG_CHARACTERS)}`;

/**
 * A permit's text is the second, in base 36, at which it is void, its epoch, a random part, the tag of its party and
 * what its owner adds.
 */
const isVoid = (permit: string, { now, prefix }: { now: number; prefix: string }): boolean =>
  parseInt(permit, 36) * 1_000 < now || !permit.slice(permit.indexOf('-') + 1).startsWith(prefix);

export const runPermitStore = (table: TableOptions, random: Random): PermitStore =>
  permitStore(table, { keyOf: runPermitsKey, lifetimeSeconds: BATCH_WORK_MS / 1_000 + 60, random });

/** The live streams that each user follows. */
export const streamPermitStore = (table: TableOptions, random: Random): StreamPermitStore =>
  permitStore(table, { keyOf: streamPermitsKey, lifetimeSeconds: LONGEST_STREAM_MS / 1_000 + 60, random });

/** Messages that execute backlogs, of all users together. */
export const slicePermitStore = (table: TableOptions, random: Random): PermitStore<typeof ALL_BACKLOGS> =>
  permitStore(table, {
    keyOf: () => slicePermitsKey,
    lifetimeSeconds: BATCH_WORK_MS / 1_000 + 60,
    random,
  });

function permitStore<Owner>(
  table: TableOptions,
  { keyOf, lifetimeSeconds, random }: PermitOptions<Owner>,
): StreamPermitStore<Owner> {
  const prefix = epochPrefix(table);

  /** Safe to repeat, as the SDK does when a response was lost: the permit of the first attempt counts as taken. */
  const add = (ownerId: Owner, permit: string, { limit, until }: { limit: number; until: number }) =>
    updateItem(table, {
      Key: keyOf(ownerId),
      UpdateExpression: 'ADD places :places SET expiresAt = :until',
      ConditionExpression: 'attribute_not_exists(places) OR size(places) < :limit OR contains(places, :place)',
      ExpressionAttributeValues: {
        ':places': new Set([permit]),
        ':place': permit,
        ':limit': limit,
        ':until': until,
      },
    });

  const remove = async (ownerId: Owner, permits: ReadonlySet<string>) => {
    await updateItem(table, {
      Key: keyOf(ownerId),
      UpdateExpression: 'DELETE places :places',
      ExpressionAttributeValues: { ':places': permits },
    });
  };

  /** The permits in use. Those that are void are removed. */
  async function inUse(ownerId: Owner, now: number): Promise<string[]> {
    const Item = await getItem(table, keyOf(ownerId));
    const { places: permits } = PermitsItem.parse(Item ?? {});
    const old = new Set([...permits].filter((permit) => isVoid(permit, { now, prefix })));
    if (old.size > 0) await remove(ownerId, old);
    return [...permits].filter((permit) => !old.has(permit));
  }

  return {
    async take(ownerId, { limit, share, end = '', now }) {
      const until = Math.ceil(now / 1_000) + lifetimeSeconds;
      const tag = `${tagOf(share?.party)}${end}`;
      const permit = `${until.toString(36)}-${prefix}${Buffer.from(random(6)).toString('base64url')}${tag}`;
      // One write up to here: most users are far from their limit.
      if (await add(ownerId, permit, { limit: share ? limit * SHARED_BEYOND : limit, until })) return permit;
      const permits = await inUse(ownerId, now);
      const usedByOne = permits.filter((each) => each.endsWith(tag)).length;
      const isOnlyParty = share?.isOnlyParty ?? (() => Promise.resolve(true));
      const mayTake = await maySpend({ limit, usedByAll: permits.length, usedByOne }, isOnlyParty);
      return mayTake && (await add(ownerId, permit, { limit, until })) ? permit : undefined;
    },

    taken: async (ownerId, now) => new Set(await inUse(ownerId, now)),

    release: (ownerId, permit) => remove(ownerId, new Set([permit])),
  };
}
