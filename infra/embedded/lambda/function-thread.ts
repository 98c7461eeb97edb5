import { Worker } from 'node:worker_threads';
import { AwsError, type Call, type Dispatch } from '../call.ts';
import { Outbox } from './outbox.ts';
import type { Outcome } from './outcome.ts';
import type { LogLine } from './private-process.ts';
import type { Instance, Runtime } from './runtime.ts';
import type { FromThread, Refusal, Resident, ToThread } from './thread-messages.ts';

interface Given {
  /** Path of `thread-entry.ts`, bundled. */
  program: string;
  dispatch: Dispatch;
  /** Told what a function writes. */
  say: (functionName: string, level: LogLine['level'], text: string) => void;
}

/** A running thread with what is on its way there. */
interface Started {
  readonly worker: Worker;
  readonly outbox: Outbox<ToThread>;
}

/** Longest that a thread goes on after its end was asked for. */
const CLOSE_MS = 1000;

/**
 * A thread beside that of the services, for functions that get their work in batches: a batch and the few calls it takes are less
 * to hand over than the requests that are made for each of its events. It starts with the first instance. If it dies, what ran
 * in it fails, as on AWS when a machine is lost, and the next run starts another.
 */
export class FunctionThread {
  private readonly given: Given;
  private readonly residents = new Map<string, Resident>();
  private readonly hashes = new Map<string, string>();
  private readonly running = new Map<number, (outcome: Outcome) => void>();
  private started: Started | undefined;
  private instances = 0;
  private runs = 0;

  constructor(given: Given) {
    this.given = given;
  }

  /** For a function that neither streams nor is called with a tenant. */
  runtimeOf(resident: Resident): Runtime {
    const { name } = resident.spec;
    const { hashes } = this;
    this.residents.set(name, resident);
    return {
      get codeSha256() {
        return hashes.get(name);
      },
      instance: () => this.instanceOf(name),
    };
  }

  /** Its instances have been told to end; a thread that does not come to hear of it is ended. */
  async close(): Promise<void> {
    if (!this.started) return;
    const { worker } = this.started;
    this.post({ kind: 'end' });
    const late = setTimeout(() => void worker.terminate(), CLOSE_MS);
    await new Promise((resolve) => worker.once('exit', resolve));
    clearTimeout(late);
  }

  private instanceOf(functionName: string): Instance {
    const instance = this.instances++;
    this.post({ kind: 'load', functionName, instance });
    return {
      run: ({ event, chain }, requestId) =>
        new Promise((resolve) => {
          const id = this.runs++;
          this.running.set(id, resolve);
          this.post({
            kind: 'run',
            id,
            functionName,
            instance,
            event: JSON.stringify(event),
            chain,
            requestId,
          });
        }),
      dispose: () => {
        if (this.started) this.post({ kind: 'dispose', instance });
      },
    };
  }

  private post(message: ToThread): void {
    this.started ??= this.start();
    this.started.outbox.add(message);
  }

  private start(): Started {
    // Neither the loader nor the flags of the service are its own.
    const worker = new Worker(this.given.program, { workerData: [...this.residents.values()], execArgv: [] });
    const outbox = new Outbox<ToThread>((messages) => {
      worker.postMessage(messages);
    });
    worker.on('message', (messages: readonly FromThread[]) => {
      for (const message of messages) this.take(message, outbox);
    });
    let why: unknown;
    worker.on('error', (error) => (why = error));
    worker.on('exit', () => {
      this.fail(why);
    });
    return { worker, outbox };
  }

  private take(message: FromThread, outbox: Outbox<ToThread>): void {
    switch (message.kind) {
      case 'loaded':
        this.hashes.set(message.functionName, message.sha256);
        return;
      case 'value':
        this.end(message.id, { ok: true, value: message.json && (JSON.parse(message.json) as unknown) });
        return;
      case 'failure':
        this.end(message.id, { ok: false, error: message.error });
        return;
      case 'call':
        void this.carryOut(message.call).then((answer) => {
          outbox.add({ ...answer, id: message.id });
        });
        return;
      case 'log':
        this.given.say(message.functionName, message.level, message.text);
    }
  }

  private end(id: number, outcome: Outcome): void {
    this.running.get(id)?.(outcome);
    this.running.delete(id);
  }

  private async carryOut(call: Call) {
    try {
      const output = await this.given.dispatch(call);
      const { Body } = output;
      const asBytes = isTransformable(Body) ? { ...output, Body: await Body.transformToByteArray() } : output;
      return { kind: 'answer', output: asBytes } as const;
    } catch (error) {
      return { kind: 'refusal', error: refusalOf(error) } as const;
    }
  }

  private fail(why: unknown): void {
    this.started = undefined;
    const reason = why instanceof Error ? why.message : 'nobody knows why';
    const error = {
      errorType: 'Runtime.ExitError',
      errorMessage: `The thread of the function ended: ${reason}`,
    };
    for (const id of [...this.running.keys()]) this.end(id, { ok: false, error });
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
