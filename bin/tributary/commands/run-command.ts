import type { Command } from 'commander';
import * as z from 'zod';
import { type Run, RunFailure, Source, Trigger } from '../session/response-schemas.ts';
import type { CommandTree } from '../command-tree.ts';
import { eventColumns } from '../output/event-lines.ts';
import { LONGEST_WAIT_MS, waitRule } from '../events/poll-until.ts';
import { waitForRun, runMs } from '../events/wait-for-run.ts';
import { CommandFailure, refusedFailure } from '../failures.ts';
import { shellWord } from '../output/shell-word.ts';
import { runErrorText, runLogText } from './log-group.ts';
import { jsonOrFile } from '../input/read-input.ts';
import { sourceNamed } from '../input/resolve-name.ts';
import { newestPositions, readTraces, type RunTraces } from '../events/run-traces.ts';
import type { Api } from '../session/api.ts';
import type { Session } from '../session/command-session.ts';

const RunInput = z.object({
  source: z.string(),
  data: z.string().optional(),
  wait: z.boolean().default(true),
});

export function runCommand({ leaf }: CommandTree, sources: Command): void {
  leaf(sources, {
    usage: 'run <source>',
    about: 'Run a source once, wait for that run, and print its events, logs, error and time.',
    options: [
      ['--data <json>', 'event of the run, or @file'],
      ['--no-wait', "print the trigger's id only"],
    ],
    input: RunInput,
    examples: [
      ['tributary sources run orders', 'as its timer would, or as a request of {} to its endpoint'],
      [`tributary sources run orders --data '{"id":7}'`, 'with an event, or the body of a request'],
    ],
    run: runSource,
  });
}

async function runSource(session: Session, { source, data, wait }: z.infer<typeof RunInput>): Promise<void> {
  const { output, terminal } = session;
  const body = data === undefined ? undefined : await jsonOrFile(terminal, '--data', data);
  const api = await session.api();
  const sourceId = await sourceNamed(api, source);
  const positions = wait ? await newestPositions(api, sourceId) : undefined;
  const path = `/sources/${encodeURIComponent(sourceId)}`;
  const trigger = await api.send('POST', `${path}/run`, Trigger, { body }).catch(async (error: unknown) => {
    const isRefused = error instanceof CommandFailure && error.report.code === 'invalid_request';
    // The code of the refusal says nothing about the source.
    const isOff = isRefused && !(await api.get(path, Source)).active;
    throw isOff ? refusedFailure(offText(source), error.report.code) : error;
  });
  if (!positions || output.quiet) output.result(trigger, trigger.id);
  if (!positions) return;
  const isText = !output.json && !output.quiet;
  if (isText) output.text(`Run ${trigger.id}`);
  const onSlow = async (slow: Run) => {
    output.note(await slowText(api, slow));
  };
  const run = await waitForRun(api, { sourceId, triggerId: trigger.id, onSlow });
  const traces = await readTraces(api, { sourceId, run, positions });
  const ms = runMs(run);
  if (output.json) output.result({ ...run, ms: ms ?? null, ...traces }, '');
  if (isText) {
    // Each error comes as a block of its own, with its line of code.
    const told = new Set(traces.errors.map(({ event }) => messageOf(RunFailure.parse(event))));
    for (const event of traces.logs) {
      const text = runLogText(event, output.time, ({ k, msg }) => k === 'error' && told.has(msg));
      if (text !== '') output.text(text);
    }
    for (const event of traces.emits) output.text(`emit  ${output.line(event, eventColumns(false))}`);
    for (const event of traces.errors) output.text(runErrorText(event, output.time));
    output.text(endText(run, traces));
  }
  const failure = failureOf(run, { ...traces, sourceId });
  if (failure) throw failure;
}

const offText = (source: string): string =>
  `${source} is off, so it cannot run: \`tributary sources enable ${shellWord(source)}\` first.`;

/** The reason why a run takes long, for a person who waits. */
async function slowText(api: Pick<Api, 'healthProblem'>, { state }: Run): Promise<string> {
  const usual =
    state === 'waiting'
      ? 'The run waits: the source runs one trigger after the other.'
      : 'The run has started, and is not done.';
  return `${(await api.healthProblem()) ?? usual} ${waitRule('run')}`;
}

const events = (count: number): string => (count === 1 ? '1 event' : `${count} events`);

/** The last line, such as `done in 31 ms, 2 events, 1 of them on other streams`. */
function endText(run: Run, { emits }: RunTraces): string {
  const ms = runMs(run);
  const elsewhere = run.emitted - emits.length;
  return [
    `${run.state}${ms === undefined ? '' : ` in ${ms} ms`}`,
    ...(run.ended_at_ms === null ? [] : [events(run.emitted)]),
    ...(elsewhere > 0 ? [`${elsewhere} of them on other streams`] : []),
  ].join(', ');
}

/** The reason for exit 1: an error of the run, a trigger that started none, or no end yet. */
function failureOf(
  { state, error, ended_at_ms: end }: Run,
  { errors, sourceId }: RunTraces & { sourceId: string },
): CommandFailure | undefined {
  if (end === null)
    return refusedFailure(
      `The run has not ended within ${LONGEST_WAIT_MS / 1_000} s: it is ${state}. It goes on; \`tributary logs ${sourceId} -f\` follows it.`,
      'run_not_ended',
    );
  const [first] = errors;
  if (state === 'failed' || error !== null || first) {
    const message = first ? messageOf(RunFailure.parse(first.event)) : (error?.message ?? state);
    return refusedFailure(`The run failed: ${message}`, 'run_failed');
  }
  return state === 'skipped'
    ? refusedFailure('The source skipped the run: `tributary errors` may say why.', 'run_skipped')
    : undefined;
}

const messageOf = ({ error }: RunFailure): string => error.message ?? error.stack.split('\n')[0] ?? error.code;
