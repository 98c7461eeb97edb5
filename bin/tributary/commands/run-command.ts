import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Api } from '../session/api.ts';
import { RunFailure, RunLogs, type Summary, Trigger } from '../session/response-schemas.ts';
import type { CommandTree } from '../command-tree.ts';
import { eventLine } from '../output/event-lines.ts';
import { BEGINNING, eventsAfter, lastEvents } from '../events/event-reader.ts';
import { refusedFailure } from '../failures.ts';
import { runErrorText, runLogText } from './log-group.ts';
import { jsonOrFile } from '../input/read-input.ts';
import { sourceNamed } from '../input/resolve-name.ts';
import { runCounter, triggerOf } from '../events/run-traces.ts';
import type { Session } from '../session/command-session.ts';

const RunInput = z.object({
  source: z.string(),
  data: z.string().optional(),
  wait: z.boolean().default(true),
});

export function runCommand({ leaf }: CommandTree, sources: Command): void {
  leaf(sources, {
    usage: 'run <source>',
    about: 'Run a source once, and print the events, logs and errors of that run.',
    options: [
      ['--data <json>', 'event of the run, or @file'],
      ['--no-wait', "print the trigger's id only"],
    ],
    input: RunInput,
    examples: [
      ['tributary sources run orders', 'as its timer would'],
      [`tributary sources run orders --data '{"id":7}'`, 'with an event'],
    ],
    run: runSource,
  });
}

/** A run that shows nothing within this time is not waited for. */
const LONGEST_WAIT_MS = 60_000;
const POLL_MS = 200;
/** Logs, errors and events of a run become readable together; a slow read may still miss the last of them. */
const SETTLE_POLLS = 2;

const STREAMS = ['default', '$logs', '$errors'] as const;
type Stream = (typeof STREAMS)[number];

async function runSource(session: Session, { source, data, wait }: z.infer<typeof RunInput>): Promise<void> {
  const { output, terminal } = session;
  const body = data === undefined ? undefined : await jsonOrFile(terminal, '--data', data);
  const api = await session.api();
  const id = await sourceNamed(api, source);
  const positions = wait ? await newestOf(api, id) : new Map<Stream, string>();
  const counter = wait ? await runCounter(api) : undefined;
  const trigger = await api.send('POST', `/sources/${encodeURIComponent(id)}/run`, Trigger, { body });
  if (!wait || output.quiet) output.result(trigger, trigger.id);
  if (!wait) return;
  if (!output.json && !output.quiet) output.text(`Run ${trigger.id}`);
  const traces = await tracesOf(api, { id, triggerId: trigger.id, positions, hasRun: counter });
  const [emits, logs, errors] = STREAMS.map((stream) => traces.get(stream) ?? []);
  if (output.json) output.result({ ...trigger, emits, logs, errors }, '');
  else if (!output.quiet) {
    for (const event of logs ?? []) output.text(runLogText(event));
    for (const event of emits ?? []) output.text(`emit  ${eventLine(event, false)}`);
    for (const event of errors ?? []) output.text(runErrorText(event));
  }
  const [first] = errors ?? [];
  if (first) throw refusedFailure(`The run failed: ${messageOf(first)}`, 'run_failed');
}

function messageOf({ event }: Summary): string {
  const { error } = RunFailure.parse(event);
  return error.message ?? error.stack.split('\n')[0] ?? error.code;
}

async function newestOf(api: Api, emitterId: string): Promise<Map<Stream, string>> {
  const found = STREAMS.map(async (stream): Promise<[Stream, string]> => {
    const [newest] = await lastEvents(api, { emitterId, stream }, { limit: 1, whole: false });
    return [stream, newest?.id ?? BEGINNING];
  });
  return new Map(await Promise.all(found));
}

interface TraceOptions {
  id: string;
  triggerId: string;
  positions: Map<Stream, string>;
  /** Whether a run of the user was counted since the command began. */
  hasRun: (() => Promise<boolean>) | undefined;
}

/** Waits until a run shows: by its logs, its errors or its events, or by being counted. */
async function tracesOf(api: Api, options: TraceOptions): Promise<Map<Stream, Summary[]>> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  let settling = 0;
  for (;;) {
    const traces = await readTraces(api, options);
    const isShown = [...traces.values()].some((events) => events.length > 0);
    if (isShown || settling > 0 || (await options.hasRun?.()) === true) settling += 1;
    if (settling > SETTLE_POLLS || performance.now() > deadline) return traces;
    await delay(POLL_MS);
  }
}

async function readTraces(
  api: Api,
  { id, triggerId, positions }: TraceOptions,
): Promise<Map<Stream, Summary[]>> {
  const found = STREAMS.map(async (stream): Promise<[Stream, Summary[]]> => {
    const position = positions.get(stream) ?? BEGINNING;
    const { events } = await eventsAfter(api, { emitterId: id, stream }, { position, whole: true });
    const ids = await Promise.all(events.map((event) => runOf(api, { id, stream, event })));
    // A service of an earlier release does not tell the run of an event.
    return [stream, events.filter((_, at) => ids[at] === triggerId || ids[at] === undefined)];
  });
  return new Map(await Promise.all(found));
}

async function runOf(
  api: Api,
  { id, stream, event }: { id: string; stream: Stream; event: Summary },
): Promise<string | undefined> {
  if (stream === '$logs') return RunLogs.safeParse(event.event).data?.run_id;
  if (stream === '$errors') return RunFailure.safeParse(event.event).data?.original_context.id;
  return triggerOf(api, id, event.id);
}
