import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DeadlineExceeded, withDeadline } from '../../../shared/client/deadline.ts';
import { EventId, eventId } from '../../../shared/domain/event/event-id.ts';
import { EmitterId } from '../../../shared/domain/id.ts';
import { headersByName } from '../../../shared/lib/header-list.ts';
import { deliveryHeaders, signingKey } from '../../../shared/domain/delivery/signature.ts';
import { streamOf } from '../../../shared/domain/event/stream.ts';
import { Summary } from '../session/response-schemas.ts';
import type { Api } from '../session/api.ts';
import { BEGINNING, lastEvents, type StreamRef, summariesPath } from './event-reader.ts';
import { follow } from './follow.ts';
import { rawElements, rawMembers } from '../../../shared/lib/raw-json.ts';
import type { Session } from '../session/command-session.ts';
import { localTime } from '../output/times.ts';

/** A webhook's receiver may take as long to respond. */
const LONGEST_RESPONSE_MS = 15_000;
const PAGE = 100;

/** Posts the kept events since a time and every new one, one after the other, and prints a line for each response. */
export async function forwardEvents(
  session: Session,
  api: Api,
  { ref, url, secret, since }: { ref: StreamRef; url: string; secret: string; since?: number | undefined },
): Promise<void> {
  const { output } = session;
  let position = since === undefined ? await newestOf(api, ref) : positionBefore(since);
  if (!output.json && !output.quiet) output.text(`Forwarding to ${url}`);
  await follow(session, async (signal) => {
    for (const { summary, body } of await readAfter(api, ref, { position, signal })) {
      if (signal.aborted) return;
      const response = await post(url, { body, headers: headersOf(summary, { body, secret }), signal });
      if (signal.aborted) return;
      position = summary.id;
      const result = response.status === null ? response.reason : String(response.status);
      output.follow(
        { id: summary.id, ...response },
        `${localTime(Date.now())}  ${summary.id}  ${result}  ${response.ms} ms`,
      );
    }
  });
}

async function newestOf(api: Api, ref: StreamRef): Promise<string> {
  const [newest] = await lastEvents(api, ref, { limit: 1, whole: false });
  return newest?.id ?? BEGINNING;
}

/** Kept and new events follow one another in the order of their ids, so none comes twice between them. */
const positionBefore = (ms: number): string =>
  ms <= 0 ? BEGINNING : eventId({ ms: ms - 1, sequence: Number.MAX_SAFE_INTEGER });

/** Events with the bodies of their deliveries, as they were emitted. */
async function readAfter(
  api: Api,
  { emitterId, stream, filter }: StreamRef,
  { position, signal }: { position: string; signal: AbortSignal },
) {
  const query = { event_name: stream, filter, expand: 'event', limit: PAGE, before: position };
  const text = await api.getText(summariesPath(emitterId), { query, signal });
  const items = rawElements(rawMembers(text).get('data') ?? '[]');
  return items
    .map((item) => ({
      summary: Summary.parse(JSON.parse(item)),
      body: bareEvent(rawMembers(item).get('event') ?? '{}'),
    }))
    .reverse();
}

/** Listeners get a value that is no object without its wrapper. */
function bareEvent(json: string): string {
  const members = rawMembers(json);
  const raw = members.get('raw_event');
  return raw !== undefined && members.size === 1 ? raw : json;
}

function headersOf({ id, metadata }: Summary, { body, secret }: { body: string; secret: string }) {
  return {
    ...headersByName(
      deliveryHeaders(
        {
          emitId: metadata.emit_id,
          emitterId: EmitterId.parse(metadata.emitter_id),
          stream: streamOf(metadata.name),
          eventId: EventId.parse(id),
        },
        { keys: [signingKey(secret)], body, now: Date.now() },
      ),
    ),
    traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
  };
}

/** A failure is printed like a response: nothing is sent twice. */
async function post(
  url: string,
  { signal, ...sent }: { body: string; headers: Record<string, string>; signal: AbortSignal },
) {
  const begin = performance.now();
  const ms = () => Math.round(performance.now() - begin);
  const request = { method: 'POST', redirect: 'manual', ...sent } as const;
  try {
    return await withDeadline({ ms: LONGEST_RESPONSE_MS, signal }, async (stop) => {
      const response = await fetch(url, { ...request, signal: stop });
      await Promise.race([response.body?.cancel(), delay(0)]);
      return { status: response.status, ms: ms() };
    });
  } catch (error) {
    const reason = error instanceof DeadlineExceeded ? 'no answer in 15 s' : causeOf(error);
    return { status: null, reason, ms: ms() };
  }
}

function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof AggregateError) return causeOf(cause.errors[0]);
  const isRefused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
  if (isRefused) return 'connection refused';
  return cause instanceof Error ? cause.message : String(cause);
}
