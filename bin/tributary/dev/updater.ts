import type { Api } from '../session/api.ts';
import { Source } from '../session/response-schemas.ts';
import { type ReadComponent, readComponent } from '../input/local-component.ts';
import { CommandFailure, failureText } from '../failures.ts';
import { shellWord } from '../output/shell-word.ts';
import type { DevPrinter } from './dev-printer.ts';

interface UpdaterOptions {
  api: Api;
  print: DevPrinter;
  /** The source's path in the API. */
  path: string;
  options: { entry: string; shown: string };
  started: ReadComponent;
}

interface UpdaterState {
  /** Files to watch. */
  paths: readonly string[];
  /** The saved files differ from the running code. */
  isBroken: boolean;
}

const REQUIRED = /^configured_props\.(.+)$/;

/** The options that a new required prop needs, or the text of any other failure. */
function problemOf(error: CommandFailure): string {
  const { details = [] } = error.report;
  const names = details.flatMap(({ path, message }) =>
    message === 'is required' ? (REQUIRED.exec(path)?.[1] ?? []) : [],
  );
  if (names.length === 0 || names.length < details.length) return failureText(error);
  const options = names.map((name) => `--prop ${shellWord(`${name}=…`)}`).join(' ');
  return `The new code needs ${names.join(', ')}: give a default, or start dev again with ${options}.`;
}

/** Sends saved files to the running source: one update at a time, and the newest content last. */
export function createUpdater({ api, print, path, options, started }: UpdaterOptions) {
  let sent = JSON.stringify(started.body);
  let state: UpdaterState = { paths: started.paths, isBroken: false };
  let running: Promise<void> | undefined;
  let isStale = false;
  let lastProblem: string | undefined;

  async function send(): Promise<void> {
    const begin = performance.now();
    try {
      const component = await readComponent(options.entry, options.shown);
      state = { ...state, paths: component.paths };
      const text = JSON.stringify(component.body);
      // A broken save that was undone sends nothing.
      if (text !== sent) {
        await api.send('PUT', path, Source, { body: { ...component.body, active: true } });
        sent = text;
        print({ type: 'updated', ms: Math.round(performance.now() - begin) }, '');
      }
      lastProblem = undefined;
      state = { ...state, isBroken: false };
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      state = { ...state, isBroken: true };
      const problem = problemOf(error);
      if (problem === lastProblem) return;
      lastProblem = problem;
      print({ type: 'broken', code: error.report.code, message: problem }, problem);
    }
  }

  async function sendAll(): Promise<void> {
    try {
      do {
        isStale = false;
        await send();
      } while (isStale);
    } finally {
      running = undefined;
    }
  }

  return {
    async update(): Promise<UpdaterState> {
      isStale = true;
      await (running ??= sendAll());
      return state;
    },
    finished: (): Promise<void> => running ?? Promise.resolve(),
  };
}
