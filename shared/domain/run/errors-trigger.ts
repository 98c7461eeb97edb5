import type { EmitterId, UserId } from '../id.ts';
import { ERRORS_STREAM } from '../event/stream.ts';
import { errorEvent } from './error-event.ts';
import type { EmitTrigger, SourceType } from './message.ts';

interface ReportedError {
  /** The id of the trigger. */
  id: string;
  emitterId: EmitterId;
  ownerId: UserId;
  sourceType: SourceType;
  code: string;
  message: string;
  now: number;
}

/** A trigger that emits an error on the `$errors` stream of an emitter, without an original event. */
export function errorsTrigger({
  id,
  emitterId,
  ownerId,
  sourceType,
  code,
  message,
  now,
}: ReportedError): EmitTrigger {
  const context = { runId: id, at: now, sourceType, ownerId, sourceId: emitterId, originalEvent: () => '{}' };
  const json = errorEvent(context, { code, name: 'Error', message, stack: '' }, now);
  return { kind: 'emit', id, emitterId, ownerId, at: now, stream: ERRORS_STREAM, payload: { json }, hops: 0 };
}
