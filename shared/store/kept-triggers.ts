import * as z from 'zod';
import type { SourceId, UserId } from '../domain/id.ts';
import { MAX_KEPT_TRIGGERS } from '../domain/limits.ts';
import { RunTrigger } from '../domain/run/message.ts';
import { countDown, countUp } from './counts.ts';
import { emitterPartition, sourceKey, WAITING_PREFIXES, waitingKey } from './keys.ts';
import { beginningWith, queryPages, type TableOptions, transact } from './table-client.ts';

/** A source and its owner. */
interface Owned {
  sourceId: SourceId;
  ownerId: UserId;
}

export interface KeptTrigger {
  /** The number of its message in the queue. */
  sequence: string;
  trigger: RunTrigger;
  bytes: number;
}

/** A trigger that this release cannot read. */
export type UnreadableTrigger = Omit<KeptTrigger, 'trigger'>;

export interface KeptPage {
  kept: KeptTrigger[];
  unreadable: UnreadableTrigger[];
}

export type KeptTriggerStore = ReturnType<typeof keptTriggerStore>;

const KeptItem = z.object({
  sk: z.string(),
  bytes: z.number(),
  json: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(RunTrigger),
});

const AnyItem = z.object({ sk: z.string(), bytes: z.number().catch(0) });

const PAGE = 100;

/**
 * The triggers of sources whose owner is suspended, in the order of their queue. The transaction that stores or removes one
 * counts it, so that a repetition counts nothing twice.
 */
export function keptTriggerStore(table: TableOptions) {
  const { tableName: TableName } = table;

  /**
   * Counting in the source's item holds its mark: the commands that resume a user read what is kept after they have removed the mark. Beyond
   * the limits the source refuses further triggers.
   */
  const countingIn = (sourceId: SourceId, isWithinLimits: boolean) => ({
    Update: {
      TableName,
      Key: sourceKey(sourceId),
      UpdateExpression: `SET suspension.kept = suspension.kept + :one${isWithinLimits ? '' : ', suspension.isFull = :yes'}`,
      ConditionExpression: `attribute_exists(suspension)${isWithinLimits ? ' AND suspension.kept < :limit' : ''}`,
      ExpressionAttributeValues: {
        ':one': 1,
        ...(isWithinLimits ? { ':limit': MAX_KEPT_TRIGGERS.source } : { ':yes': true }),
      },
    },
  });

  async function put(
    { sourceId, ownerId }: Owned,
    { sequence, trigger }: Pick<KeptTrigger, 'sequence' | 'trigger'>,
    { isWithinLimits }: { isWithinLimits: boolean },
  ): Promise<boolean> {
    const json = JSON.stringify(trigger);
    const bytes = Buffer.byteLength(json);
    const limit = isWithinLimits ? MAX_KEPT_TRIGGERS.user : Number.MAX_SAFE_INTEGER;
    const result = await transact(table, [
      {
        Put: {
          TableName,
          Item: { ...waitingKey(sourceId, 'kept', sequence), json, bytes },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      countingIn(sourceId, isWithinLimits),
      countUp(TableName, ownerId, { counted: 'keptTriggers', limit, bytes }),
    ]);
    return result.ok || result.failed === 0;
  }

  async function* pages(sourceId: SourceId): AsyncGenerator<KeptPage> {
    const query = { ...beginningWith(emitterPartition(sourceId), WAITING_PREFIXES.kept), Limit: PAGE };
    for await (const items of queryPages(table, query)) {
      const page: KeptPage = { kept: [], unreadable: [] };
      for (const item of items) {
        const { sk, bytes } = AnyItem.parse(item);
        const about = { sequence: sk.slice(WAITING_PREFIXES.kept.length), bytes };
        const { data } = KeptItem.safeParse(item);
        if (data) page.kept.push({ ...about, trigger: data.json });
        else page.unreadable.push(about);
      }
      yield page;
    }
  }

  const remove = async (
    { sourceId, ownerId }: Owned,
    { sequence, bytes }: UnreadableTrigger,
  ): Promise<void> => {
    await transact(table, [
      {
        Delete: {
          TableName,
          Key: waitingKey(sourceId, 'kept', sequence),
          ConditionExpression: 'attribute_exists(pk)',
        },
      },
      countDown(TableName, ownerId, 'keptTriggers', bytes),
    ]);
  };

  return {
    /**
     * Keeps a trigger that was acknowledged, also beyond the limits: they make the source refuse later ones. False when the source is not
     * suspended any more.
     */
    keep: async (owned: Owned, kept: Pick<KeptTrigger, 'sequence' | 'trigger'>): Promise<boolean> =>
      (await put(owned, kept, { isWithinLimits: true })) || put(owned, kept, { isWithinLimits: false }),

    /** The triggers that a source keeps, oldest first. */
    pages,
    remove,

    /** Removes everything that a deleted source kept. */
    async forget(owned: Owned): Promise<void> {
      for await (const { kept, unreadable } of pages(owned.sourceId))
        for (const each of [...kept, ...unreadable]) await remove(owned, each);
    },
  };
}
