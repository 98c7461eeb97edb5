import { DAY_MS } from '../../lib/durations.ts';

/** A comment is sent this often, so that proxies and clients keep a quiet connection. */
export const COMMENT_MS = 15_000;

/** A live stream ends at the latest a comment after this time: a function's invocation takes at most 15 minutes. */
export const LONGEST_STREAM_MS = 14 * 60_000 - COMMENT_MS;

/**
 * Longest response to a client that reaches the stream through API Gateway, which gathers a response for at most 30 s.
 */
export const LONGEST_POLL_MS = 25_000;

/** Time after which a client connects again. */
export const RETRY_MS = 250;

/** The same after the stream was ended for a newer one of its token: soon it would end another one. */
export const RETRY_REPLACED_MS = 15_000;

/** A replay that has waited so long for others of its user ends with a gap. */
export const LONGEST_REPLAY_WAIT_MS = 10_000;

/** Bytes that a client may leave unread before its stream is cut. */
export const MAX_BACKLOG_BYTES = 1024 * 1024;

/** Lambda streams at most 200 MB in one response. */
export const MAX_STREAM_BYTES = 150 * 1024 * 1024;

/** Streams of one token at a time, if its maker says nothing, and at most. */
export const DEFAULT_TOKEN_STREAMS = 10;
export const MAX_TOKEN_STREAMS = 100;

/** Longest life of a token. */
export const LONGEST_TOKEN_SECONDS = DAY_MS / 1_000;
