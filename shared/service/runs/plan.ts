import { fitsNames } from '../../domain/app-hook/app-hooks.ts';
import { sourceAppHook } from '../../domain/app-hook/source-app-hook.ts';
import { payloadText } from '../../aws/payloads.ts';
import type { Bucket } from '../../aws/bucket.ts';
import type { ErrorContext } from '../../domain/run/error-event.ts';
import { wholeEvent } from '../../domain/event/carried-event.ts';
import { chainLimit, chainOf } from '../../domain/run/chain.ts';
import type { EmitTrigger, RunTrigger } from '../../domain/run/message.ts';
import type { Job, RunError } from '../../domain/run/run.ts';
import { isSkipNotice } from '../../domain/run/skip-notice.ts';
import { DEFAULT_STREAM } from '../../domain/event/stream.ts';
import type { Source } from '../../domain/source/source.ts';
import { timerEvent } from '../../domain/source/timer-event.ts';
import { dayOf } from '../../domain/user/user.ts';
import type { Emitter, EmitterState } from '../../store/emitters/emitters.ts';
import { errorContextOf, isPassThrough } from './error-context.ts';
import type { DelayedEmits } from '../commit/delayed-emits.ts';
import { errorEventOf, ourError, type PlannedEvent } from '../commit/planned-event.ts';
import type { Quotas } from '../admission/quotas.ts';
import { type Storage, STORAGE_FULL } from '../admission/storage.ts';
import type { Received } from '../../domain/run/received-trigger.ts';

export interface PlanContext {
  bucket: Pick<Bucket, 'getText' | 'delete'>;
  quotas: Quotas;
  storage: Pick<Storage, 'isFull' | 'isFullFor'>;
  delayedEmits: Pick<DelayedEmits, 'find'>;
  /** Writes one log line. */
  log(message: string, fields: Readonly<Record<string, string>>): void;
  now(): number;
}

/** A received `run` or `emit`. */
export interface RunReceived extends Received {
  trigger: RunTrigger | EmitTrigger;
}

/** The plan for one trigger: drop it, store these events, or run this job. */
export type Plan =
  /** `isUnrecorded`: it leaves no record, because the batch has the same trigger before. */
  | { kind: 'nothing'; isUnrecorded?: boolean }
  /** `failure`: the reason why the trigger did not run; with `isSkipped` it is no failure of the source. */
  | { kind: 'events'; events: PlannedEvent[]; failure?: RunError; isSkipped?: boolean }
  | { kind: 'job'; job: Job; context: ErrorContext };

export const isTick = (trigger: RunReceived['trigger']) => trigger.kind === 'run' && trigger.generation !== undefined;

/** Decides how to execute a trigger. */
export async function planFor(
  context: PlanContext,
  { source, workflow, state }: Emitter,
  trigger: RunReceived['trigger'],
  { isCoalesced, isQuotaReported }: { isCoalesced: boolean; isQuotaReported: boolean },
): Promise<Plan & { quotaDay?: string }> {
  // A `deleting` emitter still executes triggers: everything before its purge message was accepted before the deletion.
  if (source ? source.state === 'failed' : !workflow) {
    context.log('trigger.dropped', {
      trigger: trigger.id,
      emitter: trigger.emitterId,
    });
    return { kind: 'nothing' };
  }
  if (trigger.kind === 'emit') return emitPlan(context, trigger, state);
  if (!source) return { kind: 'nothing' };
  if (isCoalesced) return { kind: 'nothing' };
  if (trigger.generation !== undefined && trigger.generation !== source.generation) return { kind: 'nothing' };
  if (trigger.generation !== undefined && source.state !== 'active') return { kind: 'nothing' };

  const event = isTick(trigger)
    ? timerEvent(trigger.at, source.traits.timer)
    : await payloadText(context.bucket, trigger.payload);
  const whole = () => (event === undefined ? '{}' : wholeEvent({ json: event, body: trigger.body }));
  const errorContext = errorContextOf(source, trigger, whole);
  if (event === undefined) {
    const lost = ourError('event_expired', 'The event that triggered this run is no longer stored');
    return { kind: 'events', events: [errorEventOf(errorContext, lost, context.now())], failure: lost };
  }
  const limit = chainLimit(trigger, source.id);
  if (limit !== undefined) {
    const error = ourError('hop_limit', limit);
    return { kind: 'events', events: [errorEventOf(errorContext, error, context.now())], failure: error };
  }
  if (!isAskedFor(source, trigger, event)) return { kind: 'nothing' };
  /** One report a day. */
  const skippedTick = (code: 'quota_exceeded' | 'storage_full', message: string) => {
    if (isQuotaReported) return { kind: 'nothing' } as const;
    const error = ourError(code, message);
    const events = [errorEventOf(errorContext, error, context.now())];
    return {
      kind: 'events',
      events,
      failure: error,
      isSkipped: true,
      quotaDay: dayOf(context.now()),
    } as const;
  };
  if (isTick(trigger) && (await context.quotas.isOver({ sourceId: source.id, ownerId: source.ownerId })))
    return skippedTick(
      'quota_exceeded',
      'The daily quota, or the share of this source, is used up: timer ticks and events of other emitters are skipped',
    );
  if (isTick(trigger) && (await context.storage.isFullFor(source.ownerId, source.id)))
    return skippedTick('storage_full', `${STORAGE_FULL} Until then timer ticks are skipped.`);
  if (isPassThrough(source.traits)) return { kind: 'events', events: [{ stream: DEFAULT_STREAM, json: whole() }] };
  return {
    kind: 'job',
    job: { kind: 'run', id: trigger.id, event, body: trigger.body, chain: chainOf(trigger) },
    context: errorContext,
  };
}

/**
 * False for an event of another emitter that the names of the source's app hook do not fit. The endpoint checks what
 * the app sends.
 */
function isAskedFor(source: Source, { cause }: RunTrigger, event: string): boolean {
  const hook = cause === 'source' || cause === 'workflow' ? sourceAppHook(source) : undefined;
  return hook === undefined || fitsNames(hook.app, hook.eventNames, event);
}

/** The plan for an emit that needs no run: of a workflow, or a delayed emit that is due. */
async function emitPlan(
  context: PlanContext,
  trigger: EmitTrigger,
  state: EmitterState,
): Promise<Plan & { quotaDay?: string }> {
  const { emitterId, delayedEventId, stream, payload, emit } = trigger;
  const waiting = delayedEventId && (await context.delayedEmits.find(emitterId, delayedEventId));
  if (delayedEventId !== undefined && !waiting) return { kind: 'nothing' };
  // Several instances may send a skip notice on one day; only the first is emitted.
  const today = dayOf(context.now());
  const isNotice = isSkipNotice(trigger);
  if (isNotice && state.quotaDay === today) return { kind: 'nothing' };
  const json = payload ? await payloadText(context.bucket, payload) : waiting?.json;
  if (json === undefined) {
    context.log('emit.expired', {
      trigger: trigger.id,
      emitter: emitterId,
    });
    return { kind: 'nothing' };
  }
  const meta = waiting ? { ...waiting, id: waiting.ownId } : emit;
  const event: PlannedEvent = { stream, json, ownId: meta?.id, summary: meta?.summary, ts: meta?.ts };
  return { kind: 'events', events: [event], ...(isNotice ? { quotaDay: today } : {}) };
}
