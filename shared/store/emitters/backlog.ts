import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EmitterId, SourceId } from '../../domain/id.ts';
import { backlogOf, type Drained, type Moved, toDrainedItem, type Waiting, waitingIn } from './backlog-item.ts';
import { drainedKey, emitterPartition, movedKey, WAITING_PREFIXES } from '../table/keys.ts';
import {
  deleteItem,
  putItem,
  updateItem,
  batchGet,
  type Key,
  keysBetween,
  queryPage,
  type TableOptions,
} from '../table/table-client.ts';

/** An addition to a backlog, whose triggers are stored. */
export interface Addition extends Pick<Moved, 'queue' | 'queueNumber'> {
  last: string;
  count: number;
  bytes: number;
  tick?: Moved['tick'];
}

export type BacklogStore = ReturnType<typeof backlogStore>;

/**
 * Whether sources have a backlog, and how far it has got. {@link waitingTriggers} has its triggers. The counters of
 * what was moved and of what was executed are two items with one writer each.
 */
export function backlogStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;

  return {
    ...backlogReads(table),

    /** Begins the backlog that is named by its first trigger. False when the source has one. */
    async begin(
      emitterId: EmitterId,
      id: string,
      { last, queue, queueNumber, count, bytes, tick }: Addition,
    ): Promise<boolean> {
      const Item = {
        ...movedKey(emitterId),
        id,
        ls: last,
        qu: queue,
        qn: queueNumber,
        cn: count,
        by: bytes,
        ts: tick?.sequence,
        tg: tick?.generation,
      };
      return putItem(table, {
        Item,
        // The second alternative is this very item: the SDK repeats a request whose response was lost.
        ConditionExpression: 'attribute_not_exists(pk) OR (id = :id AND ls = :last)',
        ExpressionAttributeValues: { ':id': id, ':last': last },
      });
    },

    /**
     * Counts triggers that were stored after those before. False when the backlog has ended, or counts them already:
     * then the caller loads the emitter again.
     */
    async add(
      emitterId: EmitterId,
      id: string,
      { last, queue, queueNumber, count, bytes, tick }: Addition,
    ): Promise<boolean> {
      return updateItem(table, {
        Key: movedKey(emitterId),
        UpdateExpression: `SET ls = :last, qu = :queue, qn = :number${tick ? ', ts = :sequence, tg = :generation' : ''} ADD cn :count, #by :bytes`,
        ConditionExpression: 'id = :id AND ls < :last',
        ExpressionAttributeNames: { '#by': 'by' },
        ExpressionAttributeValues: {
          ':id': id,
          ':last': last,
          ':queue': queue,
          ':number': queueNumber,
          ':count': count,
          ':bytes': bytes,
          ...(tick ? { ':sequence': tick.sequence, ':generation': tick.generation } : {}),
        },
      });
    },

    /** Throws when the backlog was executed further: this process stood still until another one went on. */
    async saveDrained(emitterId: EmitterId, drained: Drained): Promise<void> {
      await dynamo.send(
        new PutCommand({
          TableName,
          Item: toDrainedItem(emitterId, drained),
          ConditionExpression: 'attribute_not_exists(pk) OR id <> :id OR ps <= :position',
          ExpressionAttributeValues: { ':id': drained.id, ':position': drained.position },
        }),
      );
    },

    /** Ends a backlog that is empty. False when more was moved meanwhile. */
    async end(emitterId: EmitterId, { id, last }: Pick<Moved, 'id' | 'last'>): Promise<boolean> {
      const isEnded = await deleteItem(table, {
        Key: movedKey(emitterId),
        ConditionExpression: 'id = :id AND ls = :last',
        ExpressionAttributeValues: { ':id': id, ':last': last },
      });
      if (!isEnded) return false;
      await deleteItem(table, { Key: drainedKey(emitterId) });
      return true;
    },
  };
}

function backlogReads(table: TableOptions) {
  /** Items by their partition. */
  const itemsOf = async (keys: readonly Key[]): Promise<Map<unknown, unknown>> =>
    new Map((await batchGet(table, keys, { consistent: false })).map((item) => [item['pk'], item]));

  return {
    /**
     * The triggers that wait in the backlogs of sources. A source without a backlog is absent, and costs one eventually
     * consistent read.
     */
    async waiting(ids: readonly SourceId[]): Promise<Map<SourceId, Waiting>> {
      const moved = await itemsOf(ids.map((id) => movedKey(id)));
      const behind = ids.filter((id) => moved.has(movedKey(id).pk));
      const drained = await itemsOf(behind.map((id) => drainedKey(id)));
      const waiting = new Map<SourceId, Waiting>();
      for (const id of behind) {
        const { pk } = movedKey(id);
        const backlog = backlogOf({ moved: moved.get(pk), drained: drained.get(pk) });
        if (backlog) waiting.set(id, waitingIn(backlog));
      }
      return waiting;
    },

    /** Since when the oldest trigger of a backlog waits, epoch ms. Undefined when none waits. */
    async oldestWaitingSince(emitterId: EmitterId): Promise<number | undefined> {
      const [oldest] = await queryPage(table, {
        ...keysBetween(emitterPartition(emitterId), WAITING_PREFIXES.kept, `${WAITING_PREFIXES.next}~`),
        ProjectionExpression: '#at',
        ExpressionAttributeNames: { '#at': 'at' },
        ConsistentRead: false,
        Limit: 1,
      });
      return oldest && z.object({ at: z.number().optional() }).parse(oldest).at;
    },
  };
}
