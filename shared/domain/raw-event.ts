import { type EmitterId, isWorkflowId } from './id.ts';
import { ERRORS_STREAM, type StreamName } from './stream.ts';

/** Whether a JSON text is an object's. */
const isObjectText = (json: string): boolean => /^\s*\{/.test(json);

/** JSON text of an object as it is, of anything else as `{raw_event: …}` (decisions, "Events"). */
export const wrapped = (json: string): string => (isObjectText(json) ? json : `{"raw_event":${json}}`);

/** An event as it is stored and shown; listeners get the bare one. A workflow's emits are always wrapped (interface 2.6). */
export const shownEvent = (emitterId: EmitterId, stream: StreamName, json: string): string =>
  isWorkflowId(emitterId) && stream !== ERRORS_STREAM ? `{"raw_event":${json}}` : wrapped(json);
