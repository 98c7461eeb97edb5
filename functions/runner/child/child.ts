import '../../../shared/runtime/built-in-code-cache.ts';
import { Socket } from 'node:net';
import { Database } from '../../../shared/runtime/db.ts';
import type { LoadedComponent } from '../../../shared/runtime/load.ts';
import { watchFailedRequests } from '../../../shared/runtime/failed-requests.ts';
import { runError } from '../../../shared/runtime/thrown.ts';
import { LineReader } from '../../../shared/lib/line-reader.ts';
import { REQUESTS } from '../../../shared/runtime/descriptors.ts';
import { takeHostSettings } from '../../../shared/runtime/host-settings.ts';
import { captureOutput } from './capture.ts';
import { type ChildRequest, EXIT_BETWEEN_JOBS, RequestReader } from '../child-request.ts';
import { takeChildSettings } from '../child-settings.ts';
import { confine } from './confinement.ts';
import { writeLine } from './host-pipe.ts';
import { loadBundle } from './load-bundle.ts';
import { mapTmpTo } from './child-directory.ts';
import { performJob } from './perform-job.ts';
import { RunningJob, tellLate } from './running-job.ts';

/**
 * Entry of the process that runs the jobs of one source. The component shares this process and can change everything in
 * it: the host validates each line, measures each job, and ends the process when a job exceeds a limit.
 */

let loaded: Promise<LoadedComponent> | undefined;

/** Captured before a component can replace them. */
const { now } = Date;
const exit = process.exit.bind(process);
const { setImmediate: soon } = globalThis;
const leaveAfterJob = () => writeLine({ k: 'leaving' });
const STACK_FRAMES = 30;
const own = process.cwd();
const settings = { ...takeHostSettings(process.env), ...takeChildSettings(process.argv) };
/** A child that has listened is ended with its run, because a listener would outlive it. */
let hasListened = false;
const requests = new Socket({ fd: REQUESTS, readable: true, writable: false });
captureOutput((level, args) => RunningJob.calling()?.logCall(level, args));
mapTmpTo(own);
watchFailedRequests();
// Frames of packages and of Node are not shown, and must not push those of the component out.
Error.stackTraceLimit = STACK_FRAMES;
confine({
  ...settings,
  directory: own,
  onListen: () => {
    hasListened = true;
    leaveAfterJob();
  },
});

process.on('uncaughtException', uncaught);
process.on('unhandledRejection', uncaught);
process.on('exit', (code) => {
  tellLate();
  const running = RunningJob.current();
  if (!running) return;
  writeLine({ k: 'leaving' });
  running.end(runError('crashed', `The component ended its process (exit code ${code}).`));
  process.exitCode = EXIT_BETWEEN_JOBS;
});
listen();
writeLine({ k: 'ready' });

function listen(): void {
  const lines = new LineReader();
  const reader = new RequestReader();
  requests.on('data', (chunk: Buffer) => {
    for (const line of lines.push(chunk)) {
      const request = reader.push(line);
      if (request) void serve(request);
    }
  });
  // The host is gone; it cannot receive the output of a run any more.
  requests.on('close', () => exit(0));
  requests.on('error', () => exit(0));
}

async function serve(request: ChildRequest): Promise<void> {
  process.env['PD_COMPONENT'] = request.sourceId;
  const database = new Database(request.db, request.limits.dbBytes);
  for (const job of request.jobs) {
    if (request.startBefore !== undefined && now() >= request.startBefore) {
      writeLine({ k: 'stopped' });
      return;
    }
    const running = RunningJob.start(job.id, request.bundle);
    if (hasListened) leaveAfterJob();
    try {
      const component = await (loaded ??= loadBundle(request.bundle));
      await running.run(() => performJob(job, { component, database, request, running }));
      // Streams and ticks that a run did not wait for may still emit in this turn of the event loop.
      await new Promise((resolve) => void soon(() => soon(resolve)));
      running.end();
    } catch (thrown) {
      running.fail(thrown);
    }
  }
}

function uncaught(thrown: unknown): void {
  const running = RunningJob.current();
  const calling = RunningJob.calling();
  if (!running || calling !== running) {
    calling?.countLate('errors');
    return;
  }
  writeLine({ k: 'leaving' });
  running.fail(thrown);
  // Work that the component left unfinished would go on in the next job.
  exit(EXIT_BETWEEN_JOBS);
}
