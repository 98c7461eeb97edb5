import { type EmitterId, isWorkflowId } from '../id.ts';
import { ERRORS_STREAM, type StreamName } from './stream.ts';

const isObjectText = (json: string): boolean => /^\s*\{/.test(json);

/** Wraps JSON texts that are not objects: `{raw_event: …}`. */
export const wrapped = (json: string): string => (isObjectText(json) ? json : `{"raw_event":${json}}`);

/** An event as stored and shown; listeners get it unwrapped. Emits of workflows are always wrapped. */
export const shownEvent = (emitterId: EmitterId, stream: StreamName, json: string): string =>
  isWorkflowId(emitterId) && stream !== ERRORS_STREAM ? `{"raw_event":${json}}` : wrapped(json);

const WRAPPER = '{"raw_event":';

/** The event as listeners get it: the inverse of {@link shownEvent}. */
export function bareEvent(emitterId: EmitterId, stream: StreamName, shown: string): string {
  if (!shown.startsWith(WRAPPER)) return shown;
  const inner = shown.slice(WRAPPER.length, -1);
  const isAlwaysWrapped = isWorkflowId(emitterId) && stream !== ERRORS_STREAM;
  return isAlwaysWrapped || !isObjectText(inner) ? inner : shown;
}
