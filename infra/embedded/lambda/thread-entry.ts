import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { AwsError, type Call, type Output } from '../call.ts';
import { answerBody } from '../s3/body.ts';
import { PLUGIN, sdkPlugin } from '../sdk-plugin.ts';
import { ChainTracker } from './chain.ts';
import { functionError } from './outcome.ts';
import { Outbox } from './outbox.ts';
import { privateConsole, privateProcess } from './private-process.ts';
import { type Instance, type Runtime, SameThread } from './runtime.ts';
import type { FromThread, Resident, ToThread } from './thread-messages.ts';

/** Runs in the thread that {@link FunctionThread} starts: its functions, whose calls go back to where the services are. */
const port = parentPort;
if (!port) throw new Error('This is the program of a thread.');
const outbox = new Outbox<FromThread>((messages) => {
  try {
    port.postMessage(messages);
  } catch {
    for (const message of messages) post(message);
  }
});

/** What cannot be handed over (a function in the input of a call) is the fault of one message only. */
function post(message: FromThread): void {
  try {
    port?.postMessage([message]);
  } catch (error) {
    if (message.kind === 'call') underWay.get(message.id)?.reject(error);
  }
}

const say = (message: FromThread) => {
  outbox.add(message);
};

let calls = 0;
const underWay = new Map<number, { resolve: (output: Output) => void; reject: (error: unknown) => void }>();

function dispatch(call: Call): Promise<Output> {
  const id = calls++;
  return new Promise((resolve, reject) => {
    say({ kind: 'call', id, call });
    underWay.set(id, { resolve, reject });
  });
}

function runtimeOf({ spec, folder, environment, isPowerless }: Resident): Runtime {
  const chains = new ChainTracker(spec, { isPowerless });
  const log = (level: 'debug' | 'info' | 'warn' | 'error', text: string) => {
    say({ kind: 'log', functionName: spec.name, level, text });
  };
  return new SameThread({
    spec,
    folder,
    chains,
    globals: () => {
      const plugin = sdkPlugin({ dispatch, role: spec.role, prepare: (call) => chains.prepare(call) });
      return {
        process: privateProcess({ environment, extras: { [PLUGIN]: plugin }, say: log }),
        console: privateConsole(log),
        Date,
      };
    },
  });
}

const runtimes = new Map(
  (workerData as readonly Resident[]).map((resident) => [resident.spec.name, runtimeOf(resident)]),
);
const instances = new Map<number, Instance>();

function instanceOf(functionName: string, number: number): Instance {
  const known = instances.get(number);
  if (known) return known;
  const runtime = runtimes.get(functionName);
  if (!runtime) throw new Error(`${functionName} does not run in this thread.`);
  const instance = runtime.instance();
  instances.set(number, instance);
  if (runtime.codeSha256 !== undefined) say({ kind: 'loaded', functionName, sha256: runtime.codeSha256 });
  return instance;
}

function run({ id, functionName, instance, event, chain, requestId }: ToThread & { kind: 'run' }): void {
  try {
    void instanceOf(functionName, instance)
      .run({ event: JSON.parse(event) as unknown, chain }, requestId)
      .then((outcome) => {
        if (outcome.ok) answer(id, outcome.value);
        else say({ kind: 'failure', id, error: outcome.error });
      });
  } catch (thrown) {
    say({ kind: 'failure', id, error: functionError(thrown) });
  }
}

function answer(id: number, value: unknown): void {
  try {
    say({ kind: 'value', id, json: JSON.stringify(value) });
  } catch (thrown) {
    say({ kind: 'failure', id, error: { ...functionError(thrown), errorType: 'Runtime.MarshalError' } });
  }
}

/** A body arrives as its bytes. */
function asAnswered(output: Output): Output {
  const { Body } = output;
  return Body instanceof Uint8Array ? { ...output, Body: answerBody(Readable.from([Body])) } : output;
}

function settle(message: ToThread & { kind: 'answer' | 'refusal' }): void {
  const call = underWay.get(message.id);
  underWay.delete(message.id);
  if (message.kind === 'answer') {
    call?.resolve(asAnswered(message.output));
    return;
  }
  const { name, message: text, statusCode, members } = message.error;
  call?.reject(new AwsError(name, text, { statusCode, members }));
}

function take(message: ToThread): void {
  switch (message.kind) {
    case 'load':
      try {
        instanceOf(message.functionName, message.instance);
      } catch {
        // Its first run tries again and answers with the error.
      }
      return;
    case 'run':
      run(message);
      return;
    case 'dispose':
      instances.get(message.instance)?.dispose();
      instances.delete(message.instance);
      return;
    case 'end':
      process.exit();
      return;
    case 'answer':
    case 'refusal':
      settle(message);
  }
}

port.on('message', (messages: readonly ToThread[]) => {
  for (const message of messages) take(message);
});
