import { createHash } from 'node:crypto';
import { UserId } from '../../../shared/domain/id.ts';
import { lineValue } from '../../../shared/domain/run/line-text.ts';
import { type Job, RunnerLine, type RunnerRequest } from '../../../shared/domain/run/run.ts';
import { defaultLimits } from '../../../shared/domain/run-limits.ts';
import type { componentServer } from './component-server.ts';
import type { ExecutionEnvironment } from './execution-environment.ts';
import type { RuntimeResponse } from './runtime-api.ts';

type Server = Awaited<ReturnType<typeof componentServer>>;

let jobs = 0;

/** A request for one run of this code. */
export function runRequest(server: Server, code: string, options: Partial<RunnerRequest> = {}): RunnerRequest {
  const hash = createHash('sha256').update(code).digest('hex');
  const job: Job = { kind: 'run', id: `job-${(jobs += 1)}`, event: '{}' };
  return {
    ownerId: UserId.parse('u_test'),
    processKey: `dc_${hash.slice(0, 12)}`,
    sourceId: 'dc_test',
    bundle: { hash, url: server.serve(`/${hash}`, code) },
    props: {},
    db: '{}',
    limits: { ...defaultLimits, timeoutMs: 60_000 },
    jobs: [job],
    ...options,
  };
}

/** A component with this `run`. */
export const componentOf = (run: string): string =>
  `export default { name: 'Test', version: '0.0.1', async run() { ${run} } };\n`;

export const linesOf = ({ body }: RuntimeResponse): RunnerLine[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => RunnerLine.parse(lineValue(line)));

/** The events of a run, and its failure: `ok` for none. */
export async function runIn(
  environment: ExecutionEnvironment,
  request: RunnerRequest,
): Promise<{ events: unknown[]; end: string }> {
  const lines = linesOf(await environment.invoke(request, { tenantId: request.ownerId }));
  const [end] = lines.filter((line) => line.k === 'end');
  const [unready] = lines.filter((line) => line.k === 'unready');
  return {
    events: lines.flatMap((line) => (line.k === 'emit' ? [JSON.parse(line.json) as unknown] : [])),
    end: end ? (end.error?.message ?? 'ok') : (unready?.message ?? 'no end'),
  };
}
