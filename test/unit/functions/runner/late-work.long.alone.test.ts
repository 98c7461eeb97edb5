import { expect, test } from 'vitest';
import type { Job } from '../../../../shared/domain/run/run.ts';
import type { LateReport } from '../../../../shared/service/runs/late-work.ts';
import { until } from '../../../support/until.ts';
import { afterEnd, Runner, run, source } from './harness.ts';

/** Each run goes on after its end and emits once. */
const LATE = source(`run() { ${afterEnd('this.$emit(1);')} }`);

/** A runner whose host takes reports. */
async function reportingRunner() {
  const reports: LateReport[] = [];
  const reporting = await Runner.start({ sendReport: (report) => reports.push(report) });
  return { reporting, reports, send: (code: string, job: Job) => reporting.run(code, { jobs: [job] }) };
}

const countsOf = (reports: readonly LateReport[]) =>
  reports.map(({ run: id, counts }) => ({ id, emits: counts.emits }));

test('a host that has a queue gets the report of an idle process, with the chain of the run', async () => {
  const { reporting, reports, send } = await reportingRunner();
  const chain = { hops: 3, left: 5 };
  const job = { ...run({}), chain };
  const startedAt = performance.now();
  const response = await send(LATE, job);
  await until('a report', () => reports.length > 0);
  expect(performance.now() - startedAt).toBeGreaterThan(1_900);
  expect(response.of('late')).toEqual([]);
  expect(reports).toMatchObject([{ run: job.id, chain, sourceId: 'dc_test', counts: { emits: 1 } }]);
  await reporting.close();
  expect(reports).toHaveLength(1);
});

test.each([
  ['ends itself', 'for (let emitted = 0; emitted < 5; emitted += 1) this.$emit(1); process.exit(3);'],
  ['writes without end', "this.$emit(1); for (;;) fs.writeSync(4, 'x'.repeat(1e4));"],
  ['writes lines without end', "this.$emit(1); for (;;) fs.writeSync(4, '\\n'.repeat(1e4));"],
])('a process that %s between runs is reported before it ends', async (_, late) => {
  const { reporting, reports, send } = await reportingRunner();
  const job = run({});
  await send(source(`run() { ${afterEnd(late)} }`, "import fs from 'node:fs';"), job);
  const startedAt = performance.now();
  await until('a report', () => reports.length > 0);
  expect(performance.now() - startedAt).toBeLessThan(1_900);
  expect(countsOf(reports)).toEqual([{ id: job.id, emits: late.includes('exit') ? 5 : 1 }]);
  await reporting.close();
});

test('a call right after the end of a run counts, in whatever piece of output it comes', async () => {
  const { reporting, reports, send } = await reportingRunner();
  const code = source(
    `async run({ isWaiting }) {
      let n = 0;
      const next = () => { n += 1; this.$emit(n); if (n < 9) setImmediate(next); else globalThis.done?.(); };
      if (isWaiting) await globalThis.isDone;
      else { globalThis.isDone = new Promise((resolve) => (globalThis.done = resolve)); next(); }
    }`,
  );
  const made: number[] = [];
  for (let runs = 0; runs < 5; runs += 1) {
    made.push((await send(code, run({}))).events.length);
    await send(code, run({ isWaiting: true }));
  }
  await reporting.close();
  const told = countsOf(reports).map(({ emits }) => emits);
  expect(told).toEqual(made.map((emitted) => 9 - emitted));
});

test('a line that begins in the same piece of output as the end of a run is read whole', async () => {
  const { reporting, reports, send } = await reportingRunner();
  const code = source(
    `async run({ id }) {
      await globalThis.isWritten;
      const line = JSON.stringify({ k: 'late', job: id, run: id, counts: { emits: 3, logs: 0, writes: 0, responses: 0, errors: 0 } }) + '\\n';
      let rounds = 0;
      globalThis.isWritten = new Promise((resolve) => {
        const next = () => {
          rounds += 1;
          if (rounds < 5) { setImmediate(next); return; }
          fs.writeSync(4, line.slice(0, 20));
          setTimeout(() => resolve(fs.writeSync(4, line.slice(20))), 50);
        };
        next();
      });
    }`,
    "import fs from 'node:fs';",
  );
  const ids = ['one', 'two', 'three'];
  // Each run waits for the rest of the line of the run before.
  for (const id of [...ids, 'last']) await send(code, { kind: 'run', id, event: JSON.stringify({ id }) });
  await reporting.close();
  expect(countsOf(reports).slice(0, 3)).toEqual(ids.map((id) => ({ id, emits: 3 })));
});

test('a runner that is closed sends its reports before', async () => {
  const { reporting, reports, send } = await reportingRunner();
  const job = run({});
  const other = run({ ends: true });
  // Its end shows that the late calls of the first run have been read.
  const code = source(
    `async run({ ends }) {
      if (ends) return globalThis.isDone;
      globalThis.isDone = new Promise((resolve) => { ${afterEnd('resolve(this.$emit(1));')} });
    }`,
  );
  await send(code, job);
  await send(code, other);
  const closed = reporting.close();
  expect(countsOf(reports)).toEqual([{ id: job.id, emits: 1 }]);
  await closed;
});

test('calls in a loop make one report for each run, and none is lost', async () => {
  const { reporting, reports, send } = await reportingRunner();
  const code = source(`run() { globalThis.calls ??= 0; this.$emit(globalThis.calls);
    if (globalThis.calls > 0) return;
    ${afterEnd('setInterval(() => { globalThis.calls += 1; this.$emit(1); }, 5);')} }`);
  const first = run({});
  await send(code, first);
  await until('a report', () => reports.length === 1);
  const second = run({});
  const { events } = await send(code, second);
  await until('a second report', () => reports.length === 2);
  expect(reports.map((report) => report.run)).toEqual([first.id, second.id]);
  const told = countsOf(reports).reduce((sum, { emits }) => sum + emits, 0);
  // The calls until the second run, and those of the two seconds after it.
  expect(told).toBeGreaterThanOrEqual(Number(events[0]));
  await reporting.close();
});

test('a component that writes lines itself makes one report of a run, for no other source', async () => {
  const { reporting, reports, send } = await reportingRunner();
  const forged = (id: string) =>
    `fs.writeSync(4, JSON.stringify({ k: 'late', job: event.id, run: ${id}, counts: { emits: 7, logs: 0, writes: 0, responses: 0, errors: 0 } }) + '\\n');`;
  const code = source(
    `run(event) { if (event.earlier) for (const id of [event.earlier, event.earlier, event.id, 'job-of-another']) { ${forged('id')} } this.$emit(1); }`,
    "import fs from 'node:fs';",
  );
  const first = run({});
  await send(code, first);
  const event = JSON.stringify({ earlier: first.id, id: 'second' });
  const response = await send(code, { kind: 'run', id: 'second', event });
  expect([response.ends, response.events, response.of('late')]).toEqual([['ok'], [1], []]);
  await reporting.close();
  expect(countsOf(reports)).toEqual([{ id: first.id, emits: 28 }]);
  expect(reports[0]?.sourceId).toBe('dc_test');
});
