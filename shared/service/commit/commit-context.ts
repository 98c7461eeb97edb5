import type { PayloadStore } from '../../aws/payloads.ts';
import type { DedupeState } from '../../domain/event/dedupe.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import type { Notice, Notify } from '../../domain/notice/notice.ts';
import type { WriteLine } from '../../domain/run/log-fields.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import type { EmitterState, EmitterStore } from '../../store/emitters/emitters.ts';
import type { FanOutStore } from '../../store/events/fan-outs.ts';
import type { EventStore } from '../../store/events/events.ts';
import type { RunRecordStore } from '../../store/emitters/run-records.ts';
import type { Usage, UsageStore } from '../../store/users/usage.ts';
import type { Storage } from '../admission/storage.ts';
import type { MetricCounts } from '../metrics/metric-counts.ts';
import type { DelayedEmits } from './delayed-emits.ts';
import type { DbChange } from './db-change.ts';
import type { Planned } from './number-events.ts';
import type { RemoveEventsContext } from './remove-events.ts';
import type { StorageContext } from './storage-limit.ts';

export interface CommitContext {
  emitters: Pick<EmitterStore, 'save' | 'load'>;
  events: RemoveEventsContext['events'] & Pick<EventStore, 'addStreams' | 'customStreams' | 'items' | 'refs' | 'store'>;
  bucket: PayloadStore;
  runRecords: RemoveEventsContext['runRecords'] & Pick<RunRecordStore, 'keep'>;
  usages: Pick<UsageStore, 'add'>;
  metrics: MetricCounts;
  storage: StorageContext['storage'] & Pick<Storage, 'add'>;
  delayedEmits: RemoveEventsContext['delayedEmits'] & Pick<DelayedEmits, 'schedule'>;
  fanOuts: Pick<FanOutStore, 'mark'>;
  /** Whether the user has an ordered webhook. */
  hasOrdered(ownerId: UserId): Promise<boolean>;
  /** Resolves when the queue has accepted every message. */
  sendDeliveries(messages: readonly DeliveryMessage[]): Promise<void>;
  notify: Notify;
  writeLine: WriteLine;
  now(): number;
}

/** The results of consecutive triggers of one emitter. */
export interface CommitInput {
  /** Names the batch in the log. */
  batch?: string | undefined;
  emitterId: EmitterId;
  ownerId: UserId;
  /** The state as loaded or last saved. */
  state: EmitterState;
  planned: readonly Planned[];
  dedupe: DedupeState;
  /** Change of `$.service.db`; without it the stored db stays. */
  db?: DbChange | undefined;
  usage: Usage;
  /** Bytes of the triggers' payloads that were too large for a message. */
  payloadBytes?: number;
  /** Bytes of stored events that were removed before. */
  removedBytes?: number;
  /** Number of events of the streams from which they were removed; a custom stream without events is gone. */
  left?: ReadonlyMap<StreamName, number>;
  /** Other fields of the state to overwrite. */
  changes?: Partial<
    Pick<
      EmitterState,
      | 'done'
      | 'quotaDay'
      | 'streamDay'
      | 'dedupeResets'
      | 'expiredHour'
      | 'lastErrorMinute'
      | 'longUntilHour'
      | 'largeDay'
      | 'noticeCounts'
    >
  >;
  /** A notice about the results. It is sent before the state is saved, so that a repeated commit sends it again. */
  notice?: Notice | undefined;
  /** A synchronous run: it uses its own range of event ids, and the source may be deleted meanwhile. */
  isSynchronous?: boolean;
  /** An earlier attempt may have changed the stored events and not the state. */
  isRepeated?: boolean;
}
