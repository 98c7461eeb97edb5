import { setTimeout as delay } from 'node:timers/promises';
import { type Run, RunFailure, RunLogs, type Summary, WholeEvent } from '../session/response-schemas.ts';
import type { Api } from '../session/api.ts';
import { unlessMissing } from '../failures.ts';
import { BEGINNING, eventsAfter, lastEvents } from './event-reader.ts';

const STREAMS = ['default', '$logs', '$errors'] as const;
type Stream = (typeof STREAMS)[number];

/** The newest event of each stream before the run. */
export type Positions = ReadonlyMap<Stream, string>;

/** Events of one run, oldest first. */
export interface RunTraces {
  emits: Summary[];
  logs: Summary[];
  errors: Summary[];
}

/** Events of an ended run are stored; a read that is eventually consistent may miss the last of them for a moment. */
const POLL_MS = 200;
const MAX_POLLS = 5;

export async function newestPositions(api: Api, emitterId: string): Promise<Positions> {
  const found = STREAMS.map(async (stream): Promise<[Stream, string]> => {
    const [newest] = await lastEvents(api, { emitterId, stream }, { limit: 1, whole: false });
    return [stream, newest?.id ?? BEGINNING];
  });
  return new Map(await Promise.all(found));
}

/** Reads the events of a run on the default stream, its logs and its errors. */
export async function readTraces(
  api: Api,
  { sourceId, run, positions }: { sourceId: string; run: Run; positions: Positions },
): Promise<RunTraces> {
  // The trigger of an event does not change: it is asked for once.
  const triggers = new Map<string, Promise<string | undefined>>();
  for (let poll = 1; ; poll += 1) {
    const [emits = [], logs = [], errors = []] = await Promise.all(
      STREAMS.map((stream) => eventsOfRun(api, { sourceId, triggerId: run.id, stream, positions, triggers })),
    );
    const isWhole = emits.length >= run.emitted && (run.error === null || errors.length > 0);
    if (isWhole || poll === MAX_POLLS) return { emits, logs, errors };
    await delay(POLL_MS);
  }
}

async function eventsOfRun(
  api: Api,
  {
    sourceId,
    triggerId,
    stream,
    positions,
    triggers,
  }: {
    sourceId: string;
    triggerId: string;
    stream: Stream;
    positions: Positions;
    triggers: Map<string, Promise<string | undefined>>;
  },
): Promise<Summary[]> {
  const position = positions.get(stream) ?? BEGINNING;
  const { events } = await eventsAfter(api, { emitterId: sourceId, stream }, { position, whole: true });
  const ids = await Promise.all(
    events.map((event) => {
      const key = `${stream} ${event.id}`;
      const trigger = triggers.get(key) ?? triggerOf(api, { sourceId, stream, event });
      triggers.set(key, trigger);
      return trigger;
    }),
  );
  return events.filter((_, at) => ids[at] === triggerId);
}

/** The trigger of the run that made an event; undefined for an event of another cause, or one that is gone. */
async function triggerOf(
  api: Api,
  { sourceId, stream, event }: { sourceId: string; stream: Stream; event: Summary },
): Promise<string | undefined> {
  if (stream === '$logs') return RunLogs.safeParse(event.event).data?.run_id;
  if (stream === '$errors') return RunFailure.safeParse(event.event).data?.original_context.id;
  const path = `/sources/${encodeURIComponent(sourceId)}/events/${encodeURIComponent(event.id)}`;
  return (await unlessMissing(api.get(path, WholeEvent)))?.trigger_id ?? undefined;
}
