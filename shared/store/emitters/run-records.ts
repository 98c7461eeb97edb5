import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { DAY_MS } from '../../lib/durations.ts';
import type { EmitterId, SourceId } from '../../domain/id.ts';
import {
  CHUNK_SLOTS,
  isChunk,
  KEPT_RUNS,
  type RecentRuns,
  recordsOf,
  runMark,
  type RunRecord,
} from '../../domain/run/run-record.ts';
import { batchWrite, type PutItem, removals } from '../table/batch-write.ts';
import {
  emitterPartition,
  RUN_CHUNK_PREFIX,
  RUN_REQUEST_PREFIX,
  runChunkKey,
  runRequestKey,
  stateKey,
} from '../table/keys.ts';
import {
  deleteItem,
  putItem,
  updateItem,
  beginningWith,
  getItem,
  queryAll,
  type TableOptions,
} from '../table/table-client.ts';

/** A requested run that has not ended. Times are epoch ms. */
export interface RequestedRun {
  id: string;
  receivedAt: number;
  startedAt?: number | undefined;
}

/** Longer than a trigger waits in the queue and among the dead letters together. */
const REQUEST_LIFETIME_MS = 30 * DAY_MS;

const RequestItem = z.object({ at: z.number(), started: z.number().optional() });
const ChunkItem = z.object({ n: z.number(), tx: z.string() });
const StateRuns = z.object({ rt: z.string().default('') });

/**
 * The item of a full text; undefined when it is not full. The same text has the same key, so that writers may repeat
 * it.
 */
export function runChunk(sourceId: EmitterId, recent: RecentRuns): PutItem | undefined {
  if (!isChunk(recent)) return undefined;
  return { ...runChunkKey(sourceId, recent.chunks % CHUNK_SLOTS), n: recent.chunks, tx: recent.text };
}

function recordOf(id: string, records: readonly RunRecord[]): RunRecord | undefined {
  const mark = runMark(id);
  const found = records.findLast((record) => record.id === mark);
  return found && { ...found, id };
}

export type RunRecordStore = ReturnType<typeof runRecordStore>;

/** Records of the last triggers of a source, and the requested runs that wait or run. */
export function runRecordStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;

  const requested = async (sourceId: SourceId, id: string): Promise<RequestedRun | undefined> => {
    const Item = await getItem(table, runRequestKey(sourceId, id));
    if (!Item) return undefined;
    const { at, started } = RequestItem.parse(Item);
    return { id, receivedAt: at, startedAt: started };
  };

  const newest = async (sourceId: SourceId): Promise<RunRecord[]> => {
    const { Item = {} } = await dynamo.send(
      new GetCommand({
        TableName,
        Key: stateKey(sourceId),
        ConsistentRead: true,
        ProjectionExpression: 'rt',
      }),
    );
    return recordsOf(StateRuns.parse(Item).rt);
  };

  const older = async (sourceId: SourceId): Promise<RunRecord[]> => {
    const items = await queryAll(table, beginningWith(emitterPartition(sourceId), RUN_CHUNK_PREFIX));
    return items
      .map((item) => ChunkItem.parse(item))
      .sort((a, b) => a.n - b.n)
      .flatMap(({ tx }) => recordsOf(tx));
  };

  const update = (sourceId: SourceId, id: string, expression: string, values?: Record<string, unknown>) =>
    updateItem(table, {
      Key: runRequestKey(sourceId, id),
      UpdateExpression: expression,
      // The item of a run that has ended must not come back.
      ConditionExpression: 'attribute_exists(pk)',
      ...(values ? { ExpressionAttributeValues: values } : {}),
    });

  return {
    /** Records a requested run before its trigger is sent. */
    async request(sourceId: SourceId, { id, receivedAt }: RequestedRun): Promise<void> {
      const expiresAt = Math.ceil((receivedAt + REQUEST_LIFETIME_MS) / 1_000);
      await putItem(table, { Item: { ...runRequestKey(sourceId, id), at: receivedAt, expiresAt } });
    },

    /** Removes the request of a trigger that the queue did not accept. */
    async withdraw(sourceId: SourceId, id: string): Promise<void> {
      await deleteItem(table, { Key: runRequestKey(sourceId, id) });
    },

    async started(sourceId: SourceId, id: string, at: number): Promise<void> {
      await update(sourceId, id, 'SET started = :at', { ':at': at });
    },

    /** The job did not start after all. */
    async waits(sourceId: SourceId, id: string): Promise<void> {
      await update(sourceId, id, 'REMOVE started');
    },

    /**
     * The record of a trigger: ended among the last 100, or requested and not ended. A request is read first: the save
     * that removes it adds the record, so one of the two is found.
     */
    async find(sourceId: SourceId, id: string): Promise<RunRecord | RequestedRun | undefined> {
      const request = await requested(sourceId, id);
      const recent = await newest(sourceId);
      const found = recordOf(id, recent);
      if (found || request) return found ?? request;
      const all = [...(await older(sourceId)), ...recent];
      return recordOf(id, all.slice(-KEPT_RUNS));
    },

    /** Writes a full text as a chunk. */
    async keep(chunk: PutItem): Promise<void> {
      await putItem(table, { Item: chunk });
    },

    /** Removes everything of a deleted emitter. */
    async forget(emitterId: EmitterId): Promise<void> {
      for (const prefix of [RUN_CHUNK_PREFIX, RUN_REQUEST_PREFIX]) {
        const query = {
          ...beginningWith(emitterPartition(emitterId), prefix),
          ProjectionExpression: 'pk, sk',
        };
        await batchWrite(table, removals(await queryAll(table, query)));
      }
    },
  };
}
