import { createInterface } from 'node:readline';
import type { Api } from '../session/api.ts';
import { ComponentWithCode, endpointOf, Source, Trigger } from '../session/response-schemas.ts';
import { type ReadComponent, readComponent } from '../input/local-component.ts';
import { CommandFailure } from '../failures.ts';
import { follow } from '../events/follow.ts';
import type { PropLines } from '../input/prop-values.ts';
import { isThisMachine } from '../session/service-address.ts';
import type { Session } from '../session/command-session.ts';
import { configuredProps } from '../input/source-props.ts';
import { type DevPrinter, devPrinter } from './dev-printer.ts';
import { createStreamPoll } from './stream-poll.ts';
import { createUpdater } from './updater.ts';
import { watchFiles } from './watch-files.ts';

export interface DevOptions {
  /** Absolute path. */
  entry: string;
  /** The path as it was typed. */
  shown: string;
  /** Name and slug of the source. */
  name: string;
  isKept: boolean;
  lines: PropLines;
}

/** Polls at another host are requests that somebody pays for. */
const POLL_MS = 250;
const REMOTE_POLL_MS = 1_000;

export async function develop(session: Session, options: DevOptions): Promise<void> {
  const { terminal, output } = session;
  const stopped = terminal.interrupted();
  const api = await session.api();
  const print = devPrinter(output);
  const component = await readComponent(options.entry, options.shown);
  const found = await findSource(api, options.name);
  const poll = createStreamPoll(api, print);
  if (found) await poll.skipTo(found.id);
  const source = await startSource(session, api, { options, component, found });
  try {
    print({ type: 'ready', source_id: source.id, endpoint_url: endpointOf(source) ?? null }, options.name);
    if (output.hasColumns && output.isTerminal) output.note('Enter runs it once. Ctrl-C ends.');
    await attend(session, {
      api,
      source,
      component,
      options,
      print,
      poll: () => poll.read(source.id),
      stopped,
    });
  } finally {
    const isEnded = options.isKept || (await removeSource(api, source, output.note));
    if (isEnded) print({ type: 'ended', source_id: source.id, is_kept: options.isKept }, options.name);
  }
}

interface StartInput {
  options: DevOptions;
  component: ReadComponent;
  found: Source | undefined;
}

/** Creates the source, or takes over the one that a killed `dev` left. */
async function startSource(session: Session, api: Api, { options, component, found }: StartInput): Promise<Source> {
  const saved = await api.send('POST', '/components', ComponentWithCode, { body: component.body });
  const { name, lines } = options;
  const stored = found?.configured_props;
  const configured_props = await configuredProps(session, api, { component: saved, lines, stored });
  const body = { component_id: saved.id, configured_props };
  if (!found) return api.send('POST', '/sources', Source, { body: { ...body, name } });
  return api.send('PUT', pathOf(found), Source, { body: { ...body, active: true } });
}

const pathOf = ({ id }: Source): string => `/sources/${encodeURIComponent(id)}`;

async function findSource(api: Api, slug: string): Promise<Source | undefined> {
  const found = await api.list('/users/me/sources', Source, { query: { q: slug } });
  return found.find((source) => source.name_slug === slug);
}

interface AttendInput extends Pick<StartInput, 'options' | 'component'> {
  api: Api;
  source: Source;
  print: DevPrinter;
  poll: () => Promise<void>;
  stopped: AbortSignal;
}

/** Watches files, streams and Enter until Ctrl-C. */
async function attend(session: Session, { api, source, component, options, print, poll, stopped }: AttendInput) {
  const { terminal, output } = session;
  const updater = createUpdater({ api, print, path: pathOf(source), options, started: component });
  const update = () =>
    updater.update().then(
      ({ paths, isBroken }) => {
        watch.watch(paths, { isAnyFile: isBroken });
      },
      (error: unknown) => {
        output.note(String(error));
      },
    );
  const watch = watchFiles(component.paths, () => void update());
  // A save while the source was created.
  void update();
  const lines = createInterface({ input: terminal.stdin });
  lines.on('line', () => void runOnce(api, source, print));
  try {
    await follow(session, poll, {
      everyMs: isThisMachine(api.base) ? POLL_MS : REMOTE_POLL_MS,
      signal: stopped,
    });
  } finally {
    lines.close();
    watch.close();
    await updater.finished();
  }
}

async function runOnce(api: Api, source: Source, print: DevPrinter): Promise<void> {
  try {
    const { id } = await api.send('POST', `${pathOf(source)}/run`, Trigger);
    print({ type: 'run', trigger_id: id }, id);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    print({ type: 'error', code: error.report.code, message: error.message }, error.message);
  }
}

/** False when the source is still there, as a note says. */
async function removeSource(api: Api, source: Source, note: (sentence: string) => void): Promise<boolean> {
  try {
    await api.delete(pathOf(source));
    return true;
  } catch (error) {
    if (error instanceof CommandFailure && error.report.code === 'not_found') return true;
    note(`The source ${source.name_slug} was not removed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
