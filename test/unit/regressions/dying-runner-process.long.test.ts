import { afterAll, beforeAll, expect, test } from 'vitest';
import { repetitions } from '../../support/repetitions.ts';
import { run, Runner, source } from '../functions/runner/harness.ts';

const ROUNDS = repetitions(12, 24);

let runner: Runner;
beforeAll(async () => {
  runner = await Runner.start();
});
afterAll(() => runner.close());

/** About every fifth time the next run got the process that was about to end, and ended as `crashed`. */
test.each([
  ['exits', 'process.exit(0);'],
  ['leaves a rejection unhandled', `Promise.reject(new Error('no')); await new Promise((r) => setTimeout(r, 20));`],
])('the run right after one that %s is well', async (_, deed) => {
  const code = source(`async run(event) { if (event === 'next') { this.$emit('well'); return; } ${deed} }`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const request = runner.request(code, { jobs: [run('deed')] });
    expect((await runner.send(request)).ends).not.toEqual(['ok']);
    const next = await runner.send({ ...request, jobs: [run('next')] });
    expect([next.ends, next.events]).toEqual([['ok'], ['well']]);
  }
});
