import { type CarriedEvent, wholeEvent } from '../../domain/event/carried-event.ts';
import { chainOf } from '../../domain/run/chain.ts';
import { computeTime } from '../../domain/run/compute-time.ts';
import type { DedupeState } from '../../domain/event/dedupe.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { SourceId } from '../../domain/id.ts';
import { effectiveSource, type Source } from '../../domain/source/source.ts';
import { isTooLong } from '../../domain/run/response-size.ts';
import type { RunTrigger } from '../../domain/run/message.ts';
import { longUntilHour, runsShortly } from '../../domain/run/run-length.ts';
import { DEFAULT_STREAM } from '../../domain/event/stream.ts';
import type { Emitter, EmitterStore } from '../../store/emitters/emitters.ts';
import type { Commit } from '../commit/commit.ts';
import { noEndpoint } from '../sources/endpoint-resolver.ts';
import { endedJob, endedPlan } from './ended-run.ts';
import { lateEvents } from './late-work.ts';
import type { JobRunner } from './run-jobs.ts';
import type { JobResult, RespondLine } from './job-result.ts';
import { outcomeOf, type RunOutcome } from './run-outcome.ts';
import { errorContextOf, isPassThrough } from './error-context.ts';
import type { KeyedMutex } from '../../lib/keyed-mutex.ts';
import { errorNotice } from '../notices/error-notice.ts';
import type { Planned } from '../commit/number-events.ts';

export interface SynchronousRunContext {
  emitters: Pick<EmitterStore, 'load'>;
  runJobs: JobRunner;
  commit: Commit;
  mutex: KeyedMutex<SourceId>;
  runTimeoutMs: number;
  now(): number;
}

export type SynchronousResponse = Pick<RespondLine, 'status' | 'headers' | 'cookies' | 'body' | 'base64'>;

/** Time limit of a synchronous run. */
const RESPONSE_MS = 25_000;

/** Time that a request waits for the renewal of an account by another call. */
const RENEWAL_WAIT_MS = 10_000;

const HAS_OUTCOME: ReadonlySet<JobResult['state']> = new Set(['ended', 'lost', 'refused']);

export const SUCCESS: SynchronousResponse = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"success":true}',
  base64: false,
};

/**
 * Runs a source synchronously, outside its queue: stores, sends and saves the results, then answers. Runs that overlap
 * in several instances may emit a duplicate, but never suppress an event that no other run emitted.
 */
export async function executeSynchronously(
  context: SynchronousRunContext,
  trigger: RunTrigger,
  event: CarriedEvent,
): Promise<SynchronousResponse> {
  const emitter = await context.emitters.load(trigger.emitterId);
  const source = emitter.source && effectiveSource(emitter.source);
  if (!source) throw noEndpoint();
  const errorContext = errorContextOf(source, trigger, () => wholeEvent(event));
  if (isPassThrough(source.traits)) {
    const events = [{ stream: DEFAULT_STREAM, json: wholeEvent(event) }];
    await commitSynchronous(context, {
      emitter,
      source,
      trigger,
      outcomeAfter: (dedupe) => ({ context: errorContext, events, dedupe }),
    });
    return SUCCESS;
  }
  const results = await context.runJobs({
    source,
    configuration: source.configuration,
    traits: source.traits,
    db: emitter.db,
    jobs: [{ kind: 'run', id: trigger.id, event: event.json, body: event.body, chain: chainOf(trigger) }],
    startBefore: trigger.at + RESPONSE_MS,
    endBefore: trigger.at + RESPONSE_MS,
    renewalWaitMs: RENEWAL_WAIT_MS,
    needsNoPermit: runsShortly(emitter.state.longUntilHour, context.now()),
  });
  const result = results.get(trigger.id);
  if (!result || !HAS_OUTCOME.has(result.state)) {
    throw new ServiceError('unavailable', 'The source cannot run at the moment; repeat the request in a few seconds.', {
      retryAfterSeconds: 1,
    });
  }
  const now = context.now();
  const { traits } = source;
  const outcomeAfter = (dedupe: DedupeState) => outcomeOf({ context: errorContext, traits, result, dedupe, now });
  await commitSynchronous(context, { emitter, source, trigger, outcomeAfter, result });
  return responseOf(result);
}

interface SynchronousResult {
  /** The emitter as loaded before the run. */
  emitter: Emitter;
  source: Source;
  trigger: RunTrigger;
  /** The run's outcome, given the ids that are known to be emitted. */
  outcomeAfter(dedupe: DedupeState): RunOutcome;
  result?: JobResult;
}

/**
 * Commits the results. Runs of one source commit one after the other, each with the state that the previous one saved.
 */
async function commitSynchronous(
  context: SynchronousRunContext,
  { emitter, source, trigger, outcomeAfter, result }: SynchronousResult,
): Promise<void> {
  await context.mutex.run(source.id, async (hasWaited) => {
    const depends = hasWaited || source.traits.dedupe !== undefined || result?.db !== undefined;
    const { state, db: current } = depends ? await context.emitters.load(source.id) : emitter;
    const { context: errorContext, events, dedupe } = outcomeAfter(state.dedupe);
    const hasRun = result !== undefined && result.state !== 'refused';
    const now = context.now();
    const planned: Planned[] = [
      {
        triggerId: trigger.id,
        firstMs: trigger.at,
        chain: chainOf(trigger),
        ...(hasRun ? { run: { outcome: result.errors.length > 0 ? 'failed' : 'ok', ms: result.ms } as const } : {}),
        ended: result ? endedJob(trigger, result, now) : endedPlan(trigger, { kind: 'events', events: [] }, now),
        context: errorContext,
        events: [...events, ...(result ? lateEvents([result], now) : [])],
      },
    ];
    const { notice, ...errorChange } = errorNotice(source, { state, planned }, now);
    await context.commit({
      emitterId: source.id,
      ownerId: source.ownerId,
      state,
      planned,
      dedupe,
      db:
        result?.db === undefined ? undefined : { before: emitter.db, after: result.db, current, context: errorContext },
      usage: hasRun ? { invocations: 1, computeMs: computeTime(result.ms) } : { invocations: 0, computeMs: 0 },
      notice,
      changes: {
        ...errorChange,
        ...(hasRun ? { longUntilHour: longUntilHour(state.longUntilHour, result.ms, now) } : {}),
      },
      isSynchronous: true,
    });
  });
}

function responseOf({ response, failure, state }: JobResult): SynchronousResponse {
  // The process of a component is not trusted, and redaction may have made the body longer.
  if (response && isTooLong(response))
    throw new ServiceError('run_failed', 'The response of the source exceeds 4.5 MB, or its headers 100 KB.');
  if (response) return response;
  if (state === 'refused')
    throw new ServiceError('unavailable', failure?.message ?? '', {
      retryAfterSeconds: 60,
    });
  if (failure?.code === 'timeout') {
    throw new ServiceError('no_response', 'The source did not respond within 25 s; it must call respond() earlier.');
  }
  if (failure || state === 'lost') {
    throw new ServiceError('run_failed', 'The source threw before it responded; its $errors stream says why.');
  }
  return SUCCESS;
}
