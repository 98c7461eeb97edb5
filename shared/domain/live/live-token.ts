import * as z from 'zod';
import { StreamName } from '../event/stream.ts';
import { EmitterId, UserId } from '../id.ts';
import { tokenKind } from '../user/signed-token.ts';
import { DEFAULT_TOKEN_STREAMS, LONGEST_TOKEN_SECONDS, MAX_TOKEN_STREAMS } from './stream-limits.ts';

/**
 * The right to follow one stream, without an API key. A token of it is made by `POST …/sse_tokens`.
 */
export const LiveClaims = z.object({
  userId: UserId,
  emitterId: EmitterId,
  stream: StreamName,
  /** Epoch ms. */
  until: z.number(),
  /** Tokens of an earlier release lack it. */
  maxStreams: z.int().min(1).max(MAX_TOKEN_STREAMS).default(DEFAULT_TOKEN_STREAMS),
  /** Random, so that no two tokens are equal: each has its own streams. */
  id: z.string().default(''),
});
export type LiveClaims = z.infer<typeof LiveClaims>;

export const liveTokens = tokenKind({ prefix: 'lt', claims: LiveClaims, longestSeconds: LONGEST_TOKEN_SECONDS });
