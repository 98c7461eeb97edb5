import { Worker } from 'node:worker_threads';
import { AwsError, type Call, type Dispatch } from '../call.ts';
import { writeEvent } from '../event-source-mapping/digest.ts';
import { Outbox } from './outbox.ts';
import type { Outcome } from './outcome.ts';
import type { LogLine } from './private-process.ts';
import type { Instance, Runtime } from './runtime.ts';
import type { FromThread, Refusal, Resident, ToThread } from './thread-messages.ts';

interface FunctionThreadOptions {
  /** Path of the bundle of `thread-entry.ts`. */
  program: string;
  dispatch: Dispatch;
  /** Receives the log lines of the functions. */
  log: (functionName: string, level: LogLine['level'], text: string) => void;
}

/** A running thread and its outgoing messages. */
interface Started {
  readonly worker: Worker;
  readonly outbox: Outbox<ToThread>;
}

/** Time that a thread has for its end. */
const CLOSE_MS = 1000;

/**
 * A second thread for functions that get their work in batches: passing a batch and its few calls between threads costs
 * less than the requests that the function makes for each event. The thread starts with the first instance. If it ends
 * unexpectedly, its invocations fail, as on AWS when a machine is lost, and the next invocation starts a new thread.
 */
export class FunctionThread {
  readonly #options: FunctionThreadOptions;
  readonly #residents = new Map<string, Resident>();
  readonly #hashes = new Map<string, string>();
  readonly #running = new Map<number, (outcome: Outcome) => void>();
  #started: Started | undefined;
  #instances = 0;
  #runs = 0;

  constructor(options: FunctionThreadOptions) {
    this.#options = options;
  }

  /** The runtime of a function that neither streams nor has tenants. */
  runtimeOf(resident: Resident): Runtime {
    const { name } = resident.spec;
    const hashes = this.#hashes;
    this.#residents.set(name, resident);
    return {
      get codeSha256() {
        return hashes.get(name);
      },
      instance: () => this.#instanceOf(name),
    };
  }

  /** Ends the thread. A thread that does not react in time is terminated. */
  async close(): Promise<void> {
    if (!this.#started) return;
    const { worker } = this.#started;
    this.#post({ kind: 'end' });
    const late = setTimeout(() => void worker.terminate(), CLOSE_MS);
    await new Promise((resolve) => worker.once('exit', resolve));
    clearTimeout(late);
  }

  #instanceOf(functionName: string): Instance {
    const instance = this.#instances++;
    this.#post({ kind: 'load', functionName, instance });
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
      worker.postMessage(messages, messages.flatMap(ownedMemory));
    });
    worker.on('message', (messages: readonly FromThread[]) => {
      for (const message of messages) this.#take(message, outbox);
    });
    let why: unknown;
    worker.on('error', (error) => (why = error));
    worker.on('exit', () => {
      this.#fail(why);
    });
    return { worker, outbox };
  }

  #take(message: FromThread, outbox: Outbox<ToThread>): void {
    switch (message.kind) {
      case 'loaded':
        this.#hashes.set(message.functionName, message.sha256);
        return;
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
        this.#options.log(message.functionName, message.level, message.text);
    }
  }

  #end(id: number, outcome: Outcome): void {
    this.#running.get(id)?.(outcome);
    this.#running.delete(id);
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

/** The memory of an answered body, which the other thread gets instead of a copy. */
function ownedMemory(message: ToThread): ArrayBuffer[] {
  const body = message.kind === 'response' ? message.output['Body'] : undefined;
  if (!(body instanceof Uint8Array) || !(body.buffer instanceof ArrayBuffer)) return [];
  // Small bodies may lie in a buffer with others.
  return body.byteLength === body.buffer.byteLength ? [body.buffer] : [];
}

const isTransformable = (body: unknown): body is { transformToByteArray(): Promise<Uint8Array> } =>
  typeof body === 'object' && body !== null && 'transformToByteArray' in body;
