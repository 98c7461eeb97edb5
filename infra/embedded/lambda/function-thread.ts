import { Worker } from 'node:worker_threads';
import { AwsError, type Call, type Dispatch } from '../call.ts';
import type { Clock } from '../clock.ts';
import { writeEvent } from '../event-source-mapping/digest.ts';
import { ThreadLoad } from '../event-source-mapping/thread-load.ts';
import { Outbox } from './outbox.ts';
import type { Outcome } from './outcome.ts';
import type { LogLine } from './private-process.ts';
import type { Instance, Runtime } from './runtime.ts';
import type { FromThread, Refusal, Resident, ToThread } from './thread-messages.ts';

interface FunctionThreadOptions {
  /** Path of the bundle of `thread-entry.ts`. */
  program: string;
  clock: Clock;
  dispatch: Dispatch;
  /** Receives the log lines of a function. */
  logNamed: (functionName: string) => (level: LogLine['level'], text: string) => void;
}

/** A running thread and its outgoing messages. */
interface Started {
  readonly worker: Worker;
  readonly outbox: Outbox<ToThread>;
}

/** Time that a thread has for its end. */
const CLOSE_MS = 1000;
/** A thread without an invocation for so long ends, and gives its memory back. Counts in memory are written by then. */
const IDLE_MS = 45_000;

/**
 * A second thread for functions that get their work in batches, while the first is busy. Passing a batch and its few
 * calls between threads costs less than the requests that the function makes for each of many events, and more than a
 * single event. The thread starts with its first invocation and ends after 45 s without one. If it ends unexpectedly,
 * its invocations fail, as on AWS when a machine is lost. The next invocation starts a new thread.
 */
export class FunctionThread {
  readonly #options: FunctionThreadOptions;
  readonly #residents = new Map<string, Resident>();
  readonly #load = new ThreadLoad();
  readonly #running = new Map<number, (outcome: Outcome) => void>();
  #started: Started | undefined;
  #cancelCheck: (() => void) | undefined;
  #lastEnd = 0;
  #instances = 0;
  #runs = 0;

  constructor(options: FunctionThreadOptions) {
    this.#options = options;
  }

  /** The runtime of a function that neither streams nor has tenants. `own` runs it in this thread. */
  runtimeOf(resident: Resident, own: Runtime): Runtime {
    const { name } = resident.spec;
    this.#residents.set(name, resident);
    return {
      get codeSha256() {
        return own.codeSha256;
      },
      instance: () => {
        const near = own.instance();
        let far: Instance | undefined;
        return {
          run: (invocation, requestId) =>
            (this.#load.isBusy() ? (far ??= this.#instanceOf(name)) : near).run(invocation, requestId),
          dispose() {
            near.dispose();
            far?.dispose();
          },
        };
      },
    };
  }

  /** Ends the thread. A thread that does not react in time is terminated. */
  async close(): Promise<void> {
    this.#cancelCheck?.();
    // Invocations that end from now on start no timer.
    this.#cancelCheck = () => undefined;
    if (!this.#started) return;
    const { worker } = this.#started;
    this.#post({ kind: 'end' });
    const late = setTimeout(() => void worker.terminate(), CLOSE_MS);
    await new Promise((resolve) => worker.once('exit', resolve));
    clearTimeout(late);
  }

  #instanceOf(functionName: string): Instance {
    const instance = this.#instances++;
    return {
      run: ({ event }, requestId) =>
        new Promise((resolve) => {
          const id = this.#runs++;
          this.#running.set(id, resolve);
          this.#post({
            kind: 'run',
            id,
            functionName,
            instance,
            event: writeEvent(event),
            requestId,
          });
        }),
      dispose: () => {
        if (this.#started) this.#post({ kind: 'dispose', instance });
      },
    };
  }

  #post(message: ToThread): void {
    this.#started ??= this.#start();
    this.#started.outbox.add(message);
  }

  #start(): Started {
    // The thread does not inherit the loader and the flags of the service.
    const worker = new Worker(this.#options.program, {
      workerData: [...this.#residents.values()],
      execArgv: [],
    });
    const outbox = new Outbox<ToThread>((messages) => {
      worker.postMessage(messages);
    });
    worker.on('message', (messages: readonly FromThread[]) => {
      for (const message of messages) this.#take(message, outbox);
    });
    let why: unknown;
    worker.on('error', (error) => (why = error));
    worker.on('exit', () => {
      if (this.#started?.worker === worker) this.#fail(why);
    });
    return { worker, outbox };
  }

  #take(message: FromThread, outbox: Outbox<ToThread>): void {
    switch (message.kind) {
      case 'value':
        this.#end(message.id, { ok: true, value: message.json && (JSON.parse(message.json) as unknown) });
        return;
      case 'failure':
        this.#end(message.id, { ok: false, error: message.error });
        return;
      case 'call':
        void this.#respond(message.call).then((response) => {
          outbox.add({ ...response, id: message.id });
        });
        return;
      case 'log':
        this.#options.logNamed(message.functionName)(message.level, message.text);
    }
  }

  #end(id: number, outcome: Outcome): void {
    this.#running.get(id)?.(outcome);
    this.#running.delete(id);
    this.#lastEnd = this.#options.clock.now();
    this.#cancelCheck ??= this.#checkLater();
  }

  #checkLater(): () => void {
    return this.#options.clock.wakeAt(this.#lastEnd + IDLE_MS, () => {
      this.#cancelCheck = undefined;
      if (this.#running.size > 0) return;
      if (this.#options.clock.now() < this.#lastEnd + IDLE_MS) this.#cancelCheck = this.#checkLater();
      else {
        this.#started?.outbox.add({ kind: 'end' });
        this.#started = undefined;
      }
    });
  }

  async #respond(call: Call) {
    try {
      const output = await this.#options.dispatch(call);
      const { Body } = output;
      const asBytes = isTransformable(Body) ? { ...output, Body: await Body.transformToByteArray() } : output;
      return { kind: 'response', output: asBytes } as const;
    } catch (error) {
      return { kind: 'refusal', error: refusalOf(error) } as const;
    }
  }

  #fail(why: unknown): void {
    this.#started = undefined;
    const reason = why instanceof Error ? why.message : 'unknown reason';
    const error = {
      errorType: 'Runtime.ExitError',
      errorMessage: `The thread of the function ended: ${reason}`,
    };
    for (const id of [...this.#running.keys()]) this.#end(id, { ok: false, error });
  }
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof AwsError))
    return { name: 'InternalFailure', message: String(error), statusCode: 500, members: {} };
  const { name, message, statusCode, members } = error;
  return { name, message, statusCode, members };
}

const isTransformable = (body: unknown): body is { transformToByteArray(): Promise<Uint8Array> } =>
  typeof body === 'object' && body !== null && 'transformToByteArray' in body;
