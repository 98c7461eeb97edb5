import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startPipeline } from '../../programs/bench/pipeline.ts';
import { until } from '../../support/until.ts';

const WINDOW_MS = 10_000;
/** Timers that were set some milliseconds apart wake the service once: two samples in a row are one wake. */
const SAMPLE_MS = 50;
/** Twice the origins, for late headers, twice the runner, for its processes, and two of the seldom timers. */
const WAKES = 6;

/** How often the main thread of the service has begun to wait. */
const waits = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/task/${pid}/status`, 'utf8');
  return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
};

test('nothing wakes an idle service more often than once in five seconds', async () => {
  const pipeline = await startPipeline();
  onTestFinished(() => pipeline.stop());
  const delivered = new Promise<void>((resolve) => {
    pipeline.onDelivery = () => resolve();
  });
  const { service, paths } = pipeline;
  const response = await fetch(`${service.ingress}${paths[0]}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ at: 1_000 }),
  });
  expect(response.status).toBe(200);
  await delivered;
  const { pid = 0 } = service.process;
  let last = waits(pid);
  let wasAwake = false;
  /** When each wake began, milliseconds since the first look. */
  const wakes: number[] = [];
  const since = performance.now();
  await until(
    'the service is idle',
    async () => {
      const now = waits(pid);
      const atMs = performance.now() - since;
      const isNew = now > last && !wasAwake;
      if (isNew) wakes.push(Math.round(atMs));
      wasAwake = isNew;
      last = now;
      return atMs > WINDOW_MS && wakes.filter((wake) => wake > atMs - WINDOW_MS).length <= WAKES;
    },
    { everyMs: SAMPLE_MS },
  ).catch((cause: unknown) => {
    throw new Error(`The service woke at ${wakes.join(', ')} ms`, { cause });
  });
});
