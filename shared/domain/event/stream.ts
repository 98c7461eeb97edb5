import * as z from 'zod';
import { hasAtMost } from '../../lib/cut.ts';

/** Stream of events emitted without a name. An absent name, an empty name and `default` are the same stream. */
export const DEFAULT_STREAM = 'default';
export const ERRORS_STREAM = '$errors';
export const LOGS_STREAM = '$logs';
/** Stream of delayed emits, which have a `delivery_ts`, until they are due. */
export const DELAYED_STREAM = '$in';

/** In characters. */
const LONGEST_STREAM_NAME = 128;

/** Normalised stream name, never empty. */
export const StreamName = z
  .string()
  .min(1)
  .refine((name) => hasAtMost(name, LONGEST_STREAM_NAME));
export type StreamName = z.infer<typeof StreamName>;

/** Streams that every emitter has. */
export const OWN_STREAMS: readonly StreamName[] = [DEFAULT_STREAM, ERRORS_STREAM, LOGS_STREAM, DELAYED_STREAM];

/** Normalises a stream name of a caller or component. */
export const streamOf = (name: string | undefined): StreamName => (name ? name : DEFAULT_STREAM);

/** The name in `metadata.name`: empty for the default stream. */
export const shownName = (stream: StreamName): string => (stream === DEFAULT_STREAM ? '' : stream);

/** Names that begin with `$` are reserved; components must not emit on them. */
export const isReserved = (stream: StreamName): boolean => stream.startsWith('$');

/** Reserved streams that callers may read, subscribe to and delete from. */
const PUBLIC_RESERVED = new Set<StreamName>([ERRORS_STREAM, LOGS_STREAM]);

/** Says which streams {@link isPublic} accepts; it follows the name of a field or an option. */
export const PUBLIC_STREAM_RULE = 'must not begin with $, but for the streams $errors and $logs';

/** Whether a request may name this stream. */
export const isPublic = (stream: StreamName): boolean => !isReserved(stream) || PUBLIC_RESERVED.has(stream);
