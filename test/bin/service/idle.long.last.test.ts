import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startPipeline } from '../../programs/bench/pipeline.ts';
import { until } from '../../support/until.ts';

const WINDOW_MS = 10_000;
/** A window begins with each. */
const STEPS = 10;
/** The origins look twice for headers that do not end, at the same times, and the runner twice at its processes. */
const WAKES = 5;

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
  const counts = [waits(pid)];
  await until('the service is idle', async () => {
    await pause(WINDOW_MS / STEPS);
    const now = waits(pid);
    counts.push(now);
    const before = counts.at(-1 - STEPS);
    return before !== undefined && now - before <= WAKES;
  });
});
