import type { Writable } from 'node:stream';
import { join } from 'node:path';
import * as z from 'zod';
import { RunnerRequest } from '../../shared/domain/run.ts';
import { createHost, type Host } from './host.ts';

/** The Lambda runtime's global for functions that stream their response. */
declare const awslambda: {
  streamifyResponse<Event>(handle: StreamingHandler<Event>): StreamingHandler<Event>;
};

type StreamingHandler<Event> = (event: Event, response: Writable, context: unknown) => Promise<void>;

const Environment = z.object({
  /** Directory of this file and `child.js`. */
  LAMBDA_TASK_ROOT: z.string().min(1),
  RUNNER_WARM: z.coerce.number().int().min(0).default(16),
  /** JSON: host → `host:port` that components connect to instead. */
  RUNNER_HOSTS: z.string().default('{}'),
});

/** Streams the lines of a request as they are written. */
export const answering =
  (host: Host): StreamingHandler<unknown> =>
  async (event, response) => {
    // A run continues when its caller is gone; its lines are dropped.
    response.on('error', () => undefined);
    await host.run(RunnerRequest.parse(event), response);
    response.end();
  };

const { LAMBDA_TASK_ROOT, RUNNER_WARM, RUNNER_HOSTS } = Environment.parse(process.env);

const host = createHost({
  script: join(LAMBDA_TASK_ROOT, 'child.js'),
  warm: RUNNER_WARM,
  env: process.env,
  hosts: RUNNER_HOSTS,
});

// Lambda sends it before it ends an instance that has an extension.
process.once('SIGTERM', () => void host.close());

export const handler = awslambda.streamifyResponse(answering(host));
