import { totalmem } from 'node:os';
import type { Writable } from 'node:stream';
import { join } from 'node:path';
import * as z from 'zod';
import { RunnerRequest } from '../../shared/domain/run/run.ts';
import { environment, machine, networkRule } from '../../shared/lambda/environment.ts';
import { processesOf } from '../../shared/runtime/processes.ts';
import { createHost, type Host } from './host.ts';
import { idleMemoryMb } from './idle-memory.ts';
import { reportSender } from './report-sender.ts';

/** The Lambda runtime's global for functions that stream their response. */
declare const awslambda: {
  streamifyResponse<Event>(handle: StreamingHandler<Event>): StreamingHandler<Event>;
};

type StreamingHandler<Event> = (event: Event, response: Writable, context: unknown) => Promise<void>;

/** Streams the lines of a request as they are written. */
export const answering =
  (host: Host): StreamingHandler<unknown> =>
  async (event, response) => {
    // A run continues when its caller is gone; its lines are dropped.
    response.on('error', () => undefined);
    await host.run(RunnerRequest.parse(event), response);
    response.end();
  };

const { LAMBDA_TASK_ROOT } = machine();
const { RUNNER_WARM, RUNNER_HOSTS } = environment('RUNNER_WARM', 'RUNNER_HOSTS');

const host = createHost({
  processes: processesOf(process),
  script: join(LAMBDA_TASK_ROOT, 'child.js'),
  warm: Number(RUNNER_WARM),
  idleMb: idleMemoryMb(Math.min(totalmem(), process.constrainedMemory() || Infinity)),
  env: process.env,
  settings: {
    runtimeApi: process.env['AWS_LAMBDA_RUNTIME_API'],
    hosts: z.record(z.string(), z.string()).parse(JSON.parse(RUNNER_HOSTS)),
    network: networkRule(),
  },
  sendReport: reportSender(process),
});

// Lambda sends it before it ends an instance that has an extension.
process.once('SIGTERM', () => void host.close());

export const handler = awslambda.streamifyResponse(answering(host));
