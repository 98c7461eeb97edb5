import * as z from 'zod';
import { type DedupeState, NOTHING_REMEMBERED } from '../../domain/event/dedupe.ts';
import { type EmitterId, isSourceId } from '../../domain/id.ts';
import type { NoticeCounts } from '../../domain/notice/accept-notices.ts';
import { NO_RUNS, type RecentRuns } from '../../domain/run/run-record.ts';
import type { Source } from '../../domain/source/source.ts';
import type { LongUntilHour } from '../../domain/run/run-length.ts';
import type { StreamCounts } from '../../domain/event/trimming.ts';
import { Workflow } from '../../domain/subscription/workflow.ts';
import { type Backlog, backlogOf } from './backlog-item.ts';
import { batchWrite, removals } from '../table/batch-write.ts';
import {
  dbKey,
  droppedKey,
  emitterOfPartition,
  emitterPartition,
  runRequestKey,
  sourceKey,
  stateKey,
} from '../table/keys.ts';
import { fromSourceItem } from './source-item.ts';
import {
  putItem,
  IS_NEW,
  keysBetween,
  queryAll,
  type TableOptions,
  transact,
  type Writes,
} from '../table/table-client.ts';

/** Progress of an emitter, written with optimistic locking. */
export interface EmitterState {
  /** 0 before the first save. */
  version: number;
  /** Time of the last event id assigned in the queue, epoch ms. */
  lastMs: number;
  lastSequence: number;
  /** Every message of this queue up to this sequence number is completed. */
  done?: { queue: string; sequence: string } | undefined;
  counts: StreamCounts;
  /** Bytes of the stored events: a running sum, which a recount corrects. */
  bytes: number;
  /** From this time on a commit recounts the bytes, epoch ms. */
  recountAt: number;
  dedupe: DedupeState;
  /** Number of the requests that began it anew. */
  dedupeResets: number;
  /** The last UTC day with a `quota_exceeded`, `storage_full`, `lagging` or `rate_exceeded` notice on `$errors`. */
  quotaDay?: string | undefined;
  /** The last UTC day with a `too_many_streams` on `$errors`. */
  streamDay?: string | undefined;
  /** The last hour, counted from the epoch, with an `account_expired` of a timer tick on `$errors`. */
  expiredHour?: number | undefined;
  /** The minute of the last failed run of a source, counted from the epoch. */
  lastErrorMinute?: number | undefined;
  /** Only in the state of the emitter of a user's notices. */
  noticeCounts?: NoticeCounts | undefined;
  longUntilHour?: LongUntilHour;
  /** The last UTC day with a payload that was too large for a message. */
  largeDay?: string | undefined;
  runs: RecentRuns;
}

/** Everything that an emitter owns except its events. */
export interface Emitter {
  source?: Source;
  workflow?: Workflow;
  state: EmitterState;
  /** JSON text of `$.service.db`. */
  db: string;
  backlog?: Backlog | undefined;
}

interface SaveState {
  emitterId: EmitterId;
  state: EmitterState;
  /** The new db, written in one transaction with the state. */
  db?: string | undefined;
  /** Refuses when the source was deleted: for writers outside the queue, which a deletion does not wait for. */
  sourceMustExist?: boolean;
  /**
   * Triggers of requested runs that ended: their requests are removed in one transaction with the state that has their
   * records.
   */
  ended?: readonly string[];
}

const NEW_STATE: EmitterState = {
  version: 0,
  lastMs: 0,
  lastSequence: 0,
  counts: {},
  bytes: 0,
  recountAt: 0,
  dedupe: NOTHING_REMEMBERED,
  dedupeResets: 0,
  runs: NO_RUNS,
};

/** Short attribute names keep the item, written once per batch, below 1 KB: one write unit. */
const StateItem = z.object({
  v: z.number(),
  ms: z.number(),
  sq: z.number(),
  dq: z.string().optional(),
  ds: z.string().optional(),
  st: z.record(z.string(), z.number()),
  di: z.instanceof(Uint8Array).optional(),
  dg: z.string().optional(),
  dl: z.string().optional(),
  dz: z.number().default(0),
  qd: z.string().optional(),
  sd: z.string().optional(),
  eh: z.number().optional(),
  em: z.number().optional(),
  nb: z.object({ hour: z.number(), counts: z.record(z.string(), z.number()) }).optional(),
  lr: z.number().optional(),
  ld: z.string().optional(),
  by: z.number().default(0),
  ra: z.number().default(0),
  rt: z.string().default(''),
  rc: z.number().default(0),
});

const StoredOfState = StateItem.pick({ by: true, ld: true }).extend({ pk: z.string() });

/** The bytes of the stored events of an emitter, and its last day with a large payload, from the item of its state. */
export function storedOfState(item: unknown): {
  emitterId: EmitterId;
  bytes: number;
  largeDay: string | undefined;
} {
  const { pk, by, ld } = StoredOfState.parse(item);
  return { emitterId: emitterOfPartition(pk), bytes: by, largeDay: ld };
}

function fromItem(item: unknown): EmitterState {
  const { v, ms, sq, dq, ds, st, di, dg, dl, dz, qd, sd, eh, em, nb, lr, ld, by, ra, rt, rc } = StateItem.parse(item);
  return {
    version: v,
    lastMs: ms,
    lastSequence: sq,
    done: dq === undefined || ds === undefined ? undefined : { queue: dq, sequence: ds },
    counts: st,
    bytes: by,
    recountAt: ra,
    dedupe: { ids: di ?? NOTHING_REMEMBERED.ids, greatest: dg, last: dl },
    dedupeResets: dz,
    quotaDay: qd,
    streamDay: sd,
    expiredHour: eh,
    lastErrorMinute: em,
    noticeCounts: nb,
    longUntilHour: lr,
    largeDay: ld,
    runs: { text: rt, chunks: rc },
  };
}

/** Attributes that are undefined are not written. */
function toItem(emitterId: EmitterId, state: EmitterState): Record<string, unknown> {
  const { dedupe, done } = state;
  const { pk, sk } = stateKey(emitterId);
  return {
    pk,
    sk,
    v: state.version + 1,
    ms: state.lastMs,
    sq: state.lastSequence,
    st: state.counts,
    dq: done?.queue,
    ds: done?.sequence,
    di: dedupe.ids.length === 0 ? undefined : dedupe.ids,
    dg: dedupe.greatest,
    dl: dedupe.last,
    dz: state.dedupeResets || undefined,
    qd: state.quotaDay,
    sd: state.streamDay,
    eh: state.expiredHour,
    em: state.lastErrorMinute,
    nb: state.noticeCounts,
    lr: state.longUntilHour,
    ld: state.largeDay,
    by: state.bytes || undefined,
    ra: state.recountAt || undefined,
    rt: state.runs.text || undefined,
    rc: state.runs.chunks || undefined,
  };
}

const DbItem = z.object({ json: z.string() });

export type EmitterStore = ReturnType<typeof emitterStore>;

export function emitterStore(table: TableOptions) {
  const { tableName } = table;
  return {
    /** One strongly consistent query. */
    async load(emitterId: EmitterId): Promise<Emitter> {
      const items = await queryAll(table, keysBetween(emitterPartition(emitterId), 'DB', 'WORKFLOW'));
      const item = (sk: string) => items.find((candidate) => candidate['sk'] === sk);
      const [source, workflow, state, db] = [item('SOURCE'), item('WORKFLOW'), item('STATE'), item('DB')];
      return {
        ...(source ? { source: fromSourceItem(source) } : {}),
        ...(workflow ? { workflow: Workflow.parse(workflow) } : {}),
        state: state ? fromItem(state) : NEW_STATE,
        db: db ? DbItem.parse(db).json : '{}',
        backlog: backlogOf({ moved: item('MOVED'), drained: item('DRAINED') }),
      };
    },

    /** Undefined after a concurrent save, or when the source was deleted: load again. */
    async save({
      emitterId,
      state,
      db,
      sourceMustExist = false,
      ended = [],
    }: SaveState): Promise<EmitterState | undefined> {
      const put = {
        TableName: tableName,
        Item: toItem(emitterId, state),
        ...(state.version === 0
          ? IS_NEW
          : { ConditionExpression: 'v = :v', ExpressionAttributeValues: { ':v': state.version } }),
      };
      const isSaved =
        db === undefined && !sourceMustExist && ended.length === 0
          ? await putItem(table, put)
          : (
              await transact(table, [
                { Put: put },
                ...dbWrite(emitterId, db),
                ...sourceCheck(emitterId, sourceMustExist),
                ...requestRemovals(emitterId, ended),
              ])
            ).ok;
      return isSaved ? { ...state, version: state.version + 1 } : undefined;
    },

    /** Removes state and db, not the source or workflow itself. */
    async remove(emitterId: EmitterId): Promise<void> {
      const ofSource = isSourceId(emitterId) ? [dbKey(emitterId), droppedKey(emitterId)] : [];
      await batchWrite(table, removals([stateKey(emitterId), ...ofSource]));
    },
  };

  function dbWrite(emitterId: EmitterId, db: string | undefined): Writes {
    if (db === undefined || !isSourceId(emitterId)) return [];
    return [{ Put: { TableName: tableName, Item: { ...dbKey(emitterId), json: db } } }];
  }

  function requestRemovals(emitterId: EmitterId, triggers: readonly string[]): Writes {
    if (!isSourceId(emitterId)) return [];
    return triggers.map((id) => ({ Delete: { TableName: tableName, Key: runRequestKey(emitterId, id) } }));
  }

  function sourceCheck(emitterId: EmitterId, needed: boolean): Writes {
    if (!needed || !isSourceId(emitterId)) return [];
    return [
      {
        ConditionCheck: {
          TableName: tableName,
          Key: sourceKey(emitterId),
          ConditionExpression: 'attribute_exists(pk) AND #state <> :deleting',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':deleting': 'deleting' },
        },
      },
    ];
  }
}
