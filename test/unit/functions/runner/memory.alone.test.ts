import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../../support/until.ts';
import { Collector, Runner, source } from './harness.ts';

let runner: Runner;
afterEach(() => runner.close());

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** Counts the references that a full garbage collection leaves. */
function left(references: readonly WeakRef<object>[]): number {
  if (typeof collectGarbage === 'function') collectGarbage();
  return references.filter((one) => one.deref() !== undefined).length;
}

test('a warm process keeps nothing of the requests that it has served', async () => {
  runner = await Runner.start();
  const code = source(`run(event) { this.$emit(process.pid); }`);
  const pids = new Set<string>();
  const outputs: WeakRef<object>[] = [];
  const serve = async () => {
    const output = new Collector((line) => {
      if (line.k === 'emit') pids.add(line.json);
    });
    outputs.push(new WeakRef(output));
    await runner.host.run(runner.request(code), output);
  };
  for (let n = 0; n < 10; n += 1) await serve();

  expect(pids.size).toBe(1);
  await until('the outputs of the requests are collected', () => left(outputs) === 0);
});
