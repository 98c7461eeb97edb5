import type * as z from 'zod';
import { streamOf } from '../../domain/event/stream.ts';
import type { EmitterId, Random } from '../../domain/id.ts';
import { liveTokens } from '../../domain/live/live-token.ts';
import { type ApiResponse, one } from '../api-response.ts';
import type { Caller } from '../authentication.ts';
import type { LiveTokenInput } from '../routes/live-routes.ts';
import { showLiveToken } from '../show/show-live-token.ts';

const ID_BYTES = 6;

export function newLiveToken(
  { liveUrl, random, now }: { liveUrl: string; random: Random; now(): number },
  emitterId: EmitterId,
  { input, caller: { userId, keyHash, session } }: { input: z.output<typeof LiveTokenInput>; caller: Caller },
): ApiResponse {
  const stream = streamOf(input.event_name);
  // A token outlives no session.
  const until = Math.min(now() + input.ttl_seconds * 1_000, session?.endsAt ?? Infinity);
  const id = Buffer.from(random(ID_BYTES)).toString('base64url');
  const maxStreams = input.max_streams;
  const token = liveTokens.sign({ userId, emitterId, stream, until, maxStreams, id }, keyHash);
  return one(showLiveToken({ emitterId, stream, liveUrl }, { token, until }));
}
