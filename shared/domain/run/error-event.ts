import { JsonText, toJson } from '../../lib/json-text.ts';
import type { EmitTrigger, SourceType } from './message.ts';
import { wrapped } from '../event/raw-event.ts';
import { ERRORS_STREAM } from '../event/stream.ts';
import type { EmitterId, UserId } from '../id.ts';
import type { RunError } from './run.ts';
import { VERSION } from '../version.ts';

export interface ErrorContext {
  /** The run's id, which is its trigger's. */
  runId: string;
  /** Time of the trigger, epoch ms. */
  at: number;
  sourceType: SourceType;
  ownerId: string;
  sourceId: string;
  /** Makes the JSON text. */
  originalEvent: () => string;
}

const isoTime = (ms: number) => new Date(ms).toISOString();

/** An event of a source's `$errors` stream, as JSON text. */
export function errorEvent(context: ErrorContext, error: RunError, now: number): string {
  return toJson({
    original_event: new JsonText(wrapped(context.originalEvent())),
    original_context: {
      id: context.runId,
      ts: isoTime(context.at),
      workflow_id: '',
      deployment_id: '',
      source_type: context.sourceType,
      verified: false,
      owner_id: context.ownerId,
      platform_version: VERSION,
      source_id: context.sourceId,
    },
    error: { code: error.code, cellId: '', ts: isoTime(now), stack: error.stack, message: error.message },
  });
}

interface ReportedError {
  id: string;
  emitterId: EmitterId;
  ownerId: UserId;
  sourceType: SourceType;
  code: string;
  message: string;
  now: number;
}

/** A trigger that emits an error on the `$errors` stream of an emitter, without an original event. */
export function errorsTrigger({ id, emitterId, ownerId, sourceType, code, message, now }: ReportedError): EmitTrigger {
  const context = { runId: id, at: now, sourceType, ownerId, sourceId: emitterId, originalEvent: () => '{}' };
  const json = errorEvent(context, { code, name: 'Error', message, stack: '' }, now);
  return { kind: 'emit', id, emitterId, ownerId, at: now, stream: ERRORS_STREAM, payload: { json }, hops: 0 };
}
