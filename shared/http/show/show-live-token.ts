import { DEFAULT_STREAM, type StreamName } from '../../domain/event/stream.ts';
import { type EmitterId, isSourceId } from '../../domain/id.ts';

/** The address of an emitter's live stream. `liveUrl` is where live streams are served. */
export const sseUrl = (emitterId: EmitterId, liveUrl: string): string =>
  `${liveUrl.replace(/\/$/, '')}/v1/${isSourceId(emitterId) ? 'sources' : 'workflows'}/${emitterId}/sse`;

export function showLiveToken(
  { emitterId, stream, liveUrl }: { emitterId: EmitterId; stream: StreamName; liveUrl: string },
  { token, until }: { token: string; until: number },
) {
  const query = new URLSearchParams({ token, ...(stream === DEFAULT_STREAM ? {} : { event_name: stream }) });
  return { token, url: `${sseUrl(emitterId, liveUrl)}?${query.toString()}`, expires_at_ms: until };
}
