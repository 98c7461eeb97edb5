import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import {
  createComponentContext,
  type ComponentContextOptions,
} from '../../shared/runtime/component-context.ts';
import { Database } from '../../shared/runtime/db.ts';
import { configure, type MakeThis, withDefinitions } from '../../shared/runtime/configure.ts';
import { describe } from '../../shared/runtime/describe.ts';
import { emitter } from '../../shared/runtime/emit.ts';
import type { LoadedComponent } from '../../shared/runtime/load.ts';
import { LogBuffer, logText } from '../../shared/runtime/logs.ts';
import { responseOf } from '../../shared/runtime/respond.ts';
import type { Hiding } from '../../shared/runtime/redaction/redactor.ts';
import { shownLine } from '../../shared/runtime/redaction/redact-line.ts';
import { runError, runErrorOf } from '../../shared/runtime/thrown.ts';
import type { Job, RunError, RunnerLine } from '../../shared/domain/run.ts';
import { captureOutput } from './capture.ts';
import {
  type ChildRequest,
  EXIT_BETWEEN_JOBS,
  isChildRequest,
  LINES,
  type OwnLine,
  REQUESTS,
} from './child-request.ts';
import { completeDeclarations } from './complete-declarations.ts';
import { confine } from './confinement.ts';
import { mapHosts } from './host-map.ts';
import { loadBundle } from './load-bundle.ts';
import { mapTmpTo } from './child-directory.ts';
import { Secrecy } from './secrecy.ts';

/**
 * Runs the jobs of one source. Everything here shares its process with the component, so nothing here is trusted: the host
 * checks each line, and measures and ends what takes too long.
 */

/** A job under way. Once ended, what is left of it is heard no more. */
interface Running {
  id: string;
  ended: boolean;
  hide: (text: string) => string;
  logs: LogBuffer;
}

const jobs = new AsyncLocalStorage<Running>();
let current: Running | undefined;
let loaded: Promise<LoadedComponent> | undefined;

/** Of a header, in a warning. */
const LONGEST_NAME = 128;
const { writeSync } = fs;
const { now } = Date;
const exit = process.exit.bind(process);
const { setImmediate: soon } = globalThis;
const own = process.cwd();
const [, script = '', runtimeApi, hosts = '{}'] = process.argv;
const OWN_FRAME = new RegExp(
  `\\n +at [^\\n]*${script.replace(/[^\w/]/g, '\\$&')}[^\\n]*?(?=(?: \\{)?(?:\\n|$))`,
  'g',
);
process.argv.length = 2;
mapTmpTo(own);
// Before the guard, which judges what the component asks for.
mapHosts(hosts);
confine({ runtimeApi, directory: own });
captureOutput((level, args) => {
  // A timer left behind by an earlier job still belongs to that one.
  const running = jobs.getStore() ?? current;
  if (!running || running.ended) return;
  const shown = (text: string) => withoutOwnFrames(running.hide(text));
  log(running, level, logText(args, shown));
});

process.on('uncaughtException', uncaught);
process.on('unhandledRejection', uncaught);
process.on('exit', (code) => {
  if (!current) return;
  write({ k: 'leaving' });
  end(current, runError('crashed', `The component ended its process (exit code ${code}).`));
  process.exitCode = EXIT_BETWEEN_JOBS;
});
const requests = new Socket({ fd: REQUESTS, readable: true, writable: false });
const secrecy = new Secrecy(requests);
listen();
write({ k: 'ready' });

function listen(): void {
  let rest = '';
  requests.setEncoding('utf8');
  requests.on('data', (chunk: string) => {
    rest += chunk;
    for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
      const request: unknown = JSON.parse(rest.slice(0, at));
      rest = rest.slice(at + 1);
      if (isChildRequest(request)) void serve(request);
    }
  });
  // The host is gone; nobody hears what a run would still do.
  requests.on('close', () => exit(0));
  requests.on('error', () => exit(0));
}

async function serve(request: ChildRequest): Promise<void> {
  process.env['PD_COMPONENT'] = request.sourceId;
  secrecy.expect(request);
  const database = new Database(request.db, request.limits.dbBytes);
  for (const job of request.jobs) {
    if (request.startBefore !== undefined && now() >= request.startBefore) {
      write({ k: 'stopped' });
      return;
    }
    const running = begin(job.id, request.bundle);
    try {
      const component = await (loaded ??= loadBundle(request.bundle));
      await jobs.run(running, () => perform(job, { component, database, request, running }));
      // Streams and ticks that a run did not wait for have this turn to say the rest.
      await new Promise((resolve) => void soon(() => soon(resolve)));
      end(running);
    } catch (thrown) {
      end(running, shownError(running, thrown));
    }
  }
}

interface Performing {
  component: LoadedComponent;
  database: Database;
  request: ChildRequest;
  running: Running;
}

async function perform(job: Job, { component, database, request, running }: Performing): Promise<void> {
  if (job.kind === 'describe') {
    write({ k: 'described', job: job.id, description: describe(component) });
    return;
  }
  const declarations = withDefinitions(component.declarations, request.additionalProps);
  const hidden = secrecy.hidingFor({ request, database }, declarations, job);
  const { hide } = running;
  running.hide = (text) => hidden.inText(hide(text));
  const emit = emitting(request, running, hidden);
  const surroundings = {
    props: request.props,
    db: handle(database, running),
    emit,
    respond: responder(running, hidden),
  };
  const thisIn =
    (around: ComponentContextOptions): MakeThis =>
    (all) =>
      createComponentContext({ ...component, declarations: [...all] }, around);
  const makeThis = thisIn(surroundings);
  if (job.kind === 'props' || job.kind === 'options') {
    writeFor(running, shownLine(await configure(job, component, makeThis), hidden));
    return;
  }
  const self = makeThis(
    await completeDeclarations(declarations, component, request, thisIn(silent(surroundings))),
  );
  if (job.kind === 'hook') {
    await component.hooks[job.hook]?.call(self);
    return;
  }
  const event: unknown = JSON.parse(job.event);
  // A component without `run` emits what its interface received.
  if (component.run) await component.run.call(self, event);
  else emit(event);
}

/** For what is asked beside the run: nothing comes of it. */
const silent = ({ props, db }: ComponentContextOptions): ComponentContextOptions => ({
  props,
  db: { get: (key) => db.get(key), set: () => undefined },
  emit: () => undefined,
  respond: () => undefined,
});

function emitting({ limits }: ChildRequest, running: Running, hide: Hiding) {
  const write = (line: RunnerLine) => {
    if (line.k === 'error') line.error.message = running.hide(line.error.message);
    writeFor(running, line);
  };
  return emitter({ job: running.id, limits, write, hide });
}

function handle(database: Database, running: Running) {
  return {
    get: (key: unknown) => database.get(key),
    set: (key: unknown, value: unknown) => {
      if (running.ended || !database.set(key, value, secrecy.isOwn)) return;
      writeFor(running, { k: 'db', job: running.id, json: database.text });
    },
  };
}

function responder(running: Running, hide: Hiding): (given: unknown) => void {
  let isAnswered = false;
  return (given) => {
    if (isAnswered) {
      log(running, 'console.warn', 'This request was answered already; only the first response is sent.');
      return;
    }
    const { response, dropped } = responseOf(given, (name) => hide.inString(name) === name);
    isAnswered = true;
    for (const name of dropped) {
      // Hidden before it is cut: half a secret is one too.
      const shown = running.hide(name).slice(0, LONGEST_NAME);
      log(running, 'console.warn', `The header "${shown}" cannot be part of a response.`);
    }
    writeFor(running, shownLine({ k: 'respond', job: running.id, ...response }, hide));
  };
}

function begin(id: string, bundle: string): Running {
  const write = (line: RunnerLine) => {
    writeFor(running, line);
  };
  // Paths of this machine are nobody's business.
  const folder = `${dirname(bundle)}/`;
  const hide = (text: string) => text.replaceAll(`file://${folder}`, '').replaceAll(folder, '');
  const running: Running = { id, ended: false, hide, logs: new LogBuffer(write) };
  current = running;
  return running;
}

function end(running: Running, error?: RunError): void {
  if (running.ended) return;
  if (error) {
    const { name, message, stack } = error;
    log(running, 'error', message.slice(0, 4096), { name, message, stack });
  }
  running.logs.flush();
  running.ended = true;
  current = undefined;
  write({ k: 'end', job: running.id, ms: 0, ...(error ? { error } : {}) });
}

function uncaught(thrown: unknown): void {
  const running = jobs.getStore() ?? current;
  if (!current || running !== current) return;
  write({ k: 'leaving' });
  end(current, shownError(current, thrown));
  // What the component left half done would go on in the next job.
  exit(EXIT_BETWEEN_JOBS);
}

function shownError({ hide }: Running, thrown: unknown): RunError {
  const error = runErrorOf(thrown, hide);
  return { ...error, stack: withoutOwnFrames(error.stack) };
}

/** Where this file lies is nobody's business. What follows on the line, as the members of an error that is shown, stays. */
function withoutOwnFrames(text: string): string {
  return text.includes(script) ? text.replace(OWN_FRAME, '') : text;
}

function log(
  { id, ended, logs }: Running,
  level: string,
  msg: string,
  err?: { name: string; message: string; stack: string },
): void {
  if (!ended) logs.add({ k: 'log', job: id, level, ts: now(), msg, ...(err ? { err } : {}) });
}

function writeFor(running: Running, line: RunnerLine): void {
  if (!running.ended) write(line);
}

function write(line: RunnerLine | OwnLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  try {
    for (let sent = 0; sent < bytes.length;) sent += writeSync(LINES, bytes, sent);
  } catch {
    // The host is gone, or the component closed the file: either way nobody hears the rest.
    exit(1);
  }
}
