import * as z from 'zod';

/** The stream of events that were emitted without a name. Absent, empty and `default` are one stream. */
export const DEFAULT_STREAM = 'default';
export const ERRORS_STREAM = '$errors';
export const LOGS_STREAM = '$logs';
/** Emits with a `delivery_ts` wait here until they are due. */
export const DELAYED_STREAM = '$in';

/** A stream's identity, never empty. */
export const StreamName = z.string().min(1).max(128);
export type StreamName = z.infer<typeof StreamName>;

/** Streams that every emitter has, whether written or not. */
export const OWN_STREAMS: readonly StreamName[] = [
  DEFAULT_STREAM,
  ERRORS_STREAM,
  LOGS_STREAM,
  DELAYED_STREAM,
];

/** The identity of a stream as a caller or component spelled it. */
export const streamOf = (spelled: string | undefined): StreamName => (spelled ? spelled : DEFAULT_STREAM);

/** As `metadata.name` shows it: the default stream has the empty name (interface 2.6). */
export const shownName = (stream: StreamName): string => (stream === DEFAULT_STREAM ? '' : stream);

/** Names that begin with `$` are the service's own; components may not emit on them. */
export const isReserved = (stream: StreamName): boolean => stream.startsWith('$');

/** The reserved streams that callers may read, subscribe to and delete from. */
const PUBLIC_RESERVED = new Set<StreamName>([ERRORS_STREAM, LOGS_STREAM]);

/** Whether a caller may name this stream. */
export const isPublic = (stream: StreamName): boolean => !isReserved(stream) || PUBLIC_RESERVED.has(stream);
