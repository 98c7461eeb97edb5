import { errorEvent, type ErrorContext } from '../../domain/run/error-event.ts';
import type { RunError } from '../../domain/run/run.ts';
import { ERRORS_STREAM, type StreamName } from '../../domain/event/stream.ts';

/** An event to store and deliver, before it has an id. */
export interface PlannedEvent {
  stream: StreamName;
  /** Bare JSON text, as listeners get it. */
  json: string;
  /** Its summary, if it was made. */
  shortened?: string | undefined;
  /** Input of the emit id's hash; defaults to the event's own id or content. */
  identity?: string;
  ownId?: string | undefined;
  summary?: string | undefined;
  ts?: number | undefined;
  /** Delivery time of a delayed emit, epoch ms. */
  deliveryTs?: number | undefined;
}

/** One event of `$errors`. */
export const errorEventOf = (context: ErrorContext, error: RunError, now: number, index = 0): PlannedEvent => ({
  stream: ERRORS_STREAM,
  json: errorEvent(context, error, now),
  identity: `error-${index}`,
});

/** An error that the service itself reports in `$errors`. */
export const ourError = (code: string, message: string): RunError => ({
  code,
  name: 'Error',
  message,
  stack: '',
});
