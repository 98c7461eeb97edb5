import { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { AwsError, type Call, type Output } from '../call.ts';
import { readEvent } from '../event-source-mapping/digest.ts';
import { responseBody } from '../s3/body.ts';
import { PLUGIN, sdkPlugin } from '../sdk-plugin.ts';
import { functionError } from './outcome.ts';
import { Outbox } from './outbox.ts';
import { privateConsole, privateProcess } from './private-process.ts';
import type { Instance, Runtime } from './runtime.ts';
import { SameThread } from './same-thread.ts';
import type { FromThread, Resident, ToThread } from './thread-messages.ts';

/**
 * The program of the thread that {@link FunctionThread} starts: it runs functions and passes their calls to the thread
 * of the services.
 */
const port = parentPort;
if (!port) throw new Error('This program runs only in a worker thread.');
const outbox = new Outbox<FromThread>((messages) => {
  try {
    port.postMessage(messages);
  } catch {
    for (const message of messages) post(message);
  }
});

/** A message that cannot cross threads (a function in the input of a call) fails alone. */
function post(message: FromThread): void {
  try {
    port?.postMessage([message]);
  } catch (error) {
    if (message.kind === 'call') pendingCalls.get(message.id)?.reject(error);
  }
}

const send = (message: FromThread) => {
  outbox.add(message);
};

let calls = 0;
const pendingCalls = new Map<number, { resolve: (output: Output) => void; reject: (error: unknown) => void }>();

function dispatch(call: Call): Promise<Output> {
  const id = calls++;
  return new Promise((resolve, reject) => {
    send({ kind: 'call', id, call });
    pendingCalls.set(id, { resolve, reject });
  });
}

function runtimeOf({ spec, folder, environment }: Resident): Runtime {
  const log = (level: 'debug' | 'info' | 'warn' | 'error', text: string) => {
    send({ kind: 'log', functionName: spec.name, level, text });
  };
  return new SameThread({
    spec,
    folder,
    open: () => {
      const plugin = sdkPlugin({ dispatch, role: spec.role });
      const globals = {
        process: privateProcess({ environment, extras: { [PLUGIN]: plugin }, log }),
        console: privateConsole(log),
        Date,
      };
      return { globals };
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
  return instance;
}

function run({ id, functionName, instance, event, requestId }: ToThread & { kind: 'run' }): void {
  try {
    void instanceOf(functionName, instance)
      .run({ event: readEvent(event) }, requestId)
      .then((outcome) => {
        if (outcome.ok) respond(id, outcome.value);
        else send({ kind: 'failure', id, error: outcome.error });
      });
  } catch (thrown) {
    send({ kind: 'failure', id, error: functionError(thrown) });
  }
}

function respond(id: number, value: unknown): void {
  try {
    send({ kind: 'value', id, json: JSON.stringify(value) });
  } catch (thrown) {
    send({ kind: 'failure', id, error: { ...functionError(thrown), errorType: 'Runtime.MarshalError' } });
  }
}

/** A body crosses threads as bytes. */
function asAnswered(output: Output): Output {
  const { Body } = output;
  return Body instanceof Uint8Array ? { ...output, Body: responseBody(Readable.from([Body])) } : output;
}

function settle(message: ToThread & { kind: 'response' | 'refusal' }): void {
  const call = pendingCalls.get(message.id);
  pendingCalls.delete(message.id);
  if (message.kind === 'response') {
    call?.resolve(asAnswered(message.output));
    return;
  }
  const { name, message: text, statusCode, members } = message.error;
  call?.reject(new AwsError(name, text, { statusCode, members }));
}

function take(message: ToThread): void {
  switch (message.kind) {
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
    case 'response':
    case 'refusal':
      settle(message);
  }
}

port.on('message', (messages: readonly ToThread[]) => {
  for (const message of messages) take(message);
});
