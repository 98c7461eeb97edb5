import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { LateReport } from '../../../../shared/service/runs/late-work.ts';
import { isAlive } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { afterEnd, describeJob, run, Runner, source } from '../../functions/runner/harness.ts';
import type { Job } from '../../../../shared/domain/run/run.ts';

/** Lines and errors of a component's process that are large or many: the host, which all users share, stays free. */

let runner: Runner;
beforeAll(async () => {
  runner = await Runner.start();
});
afterAll(() => runner.close());

/** Longest time for which the host computes without a pause. */
const LONGEST_BLOCK_MS = 300;

/**
 * The most processor time between two turns of the event loop: other tests make the machine slow, and cost this process
 * none.
 */
async function blockedMs(during: () => Promise<void>): Promise<number> {
  let before = process.cpuUsage();
  let longest = 0;
  const onTurn = () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
  };
  const timer = setInterval(onTurn, 1);
  try {
    await during();
  } finally {
    clearInterval(timer);
  }
  onTurn();
  return longest;
}

const options: Job = { kind: 'options', id: 'options', prop: 'choice', page: 0 };
const writing = (text: string) =>
  `const b = Buffer.from(${text}); for (let at = 0; at < b.length;) at += fs.writeSync(4, b, at);`;
/** Values of 11.5 MB. */
const NUMBERS = `'1,'.repeat(5_750_000) + '1'`;

test.each<[string, string, Job, string]>([
  [
    'writes a line with 5.75 million numbers',
    writing(`'{"k":"options","job":"attack","context":1,"options":[' + ${NUMBERS} + ']}\\n'`),
    { ...run({}), id: 'attack' },
    'ok',
  ],
  [
    'writes a response with 5.75 million numbers',
    writing(`'{"k":"respond","job":"attack","more":[' + ${NUMBERS} + ']}\\n'`),
    { ...run({}), id: 'attack' },
    'ok',
  ],
  [
    'writes a log line with 5.75 million numbers',
    writing(`'{"k":"log","job":"attack","more":[' + ${NUMBERS} + ']}\\n'`),
    { ...run({}), id: 'attack' },
    'ok',
  ],
  [
    'begins a line of options that never ends',
    writing(`'{"k":"options","job":"options","options":[' + ${NUMBERS}`),
    options,
    'crashed',
  ],
  [
    'prints for ever to its standard error',
    `const b = Buffer.alloc(1e6, 'x'); for (;;) fs.writeSync(2, b);`,
    run({}),
    'crashed',
  ],
])('a component that %s does not hold up the host', async (_, body, job, end) => {
  const code = `import fs from 'node:fs';
    export default { name: 'x', version: '1', props: { choice: { type: 'string', options() { ${body} } } }, run() { ${body} } };`;
  let ends: string[] = [];
  const blocked = await blockedMs(async () => {
    ({ ends } = await runner.run(code, { jobs: [job] }));
  });

  expect(ends).toEqual([end]);
  expect(blocked).toBeLessThan(LONGEST_BLOCK_MS);
});

test.each<[string, string, string]>([
  ['2.4 million numbers', 'Array.from({ length: 2_400_000 }, (_, i) => i)', 'it returned more than 256 KB of options'],
  ['100,000 numbers', 'Array.from({ length: 100_000 }, () => 1)', '50,000 JSON values'],
])('options() with %s is an error in words, and does not hold up the host', async (_, value, words) => {
  const code = source('', '').replace(`props: {`, `props: { choice: { type: 'string', options: () => ${value} },`);
  let message = '';
  const blocked = await blockedMs(async () => {
    const outcome = await runner.run(code, { jobs: [options] });
    message = outcome.of('end')[0]?.error?.message ?? '';
    expect(outcome.of('options')).toEqual([]);
  });

  expect(message).toContain(words);
  expect(blocked).toBeLessThan(LONGEST_BLOCK_MS);
});

test('a description with 200,000 values is an error in words', async () => {
  const code = `export default { name: 'x', version: '1', props: { a: { type: 'integer[]', default: Array.from({ length: 100_000 }, () => 1) } }, run() {} };`;
  const outcome = await runner.run(code, { jobs: [describeJob()] });

  expect(outcome.of('end')[0]?.error?.message).toContain('50,000 JSON values');
});

test('options() and additionalProps() may emit, answer and write their db: nothing of it leaves the process', async () => {
  const code = source(`async additionalProps() { return { added: 'string' }; }`).replace(
    `props: {`,
    `props: { choice: { type: 'string', options() { for (let i = 0; i < 2000; i++) { this.$emit(i); this.db.set('n', i); } return [this.db.get('n')]; } },`,
  );
  const outcome = await runner.run(code, { jobs: [options] });

  expect(outcome.ends).toEqual(['ok']);
  expect(outcome.lines.map(({ k }) => k)).toEqual(['options', 'end']);
  expect(outcome.of('options')[0]?.options).toEqual([1999]);
});

test('an idle component that writes lines of late work without end is ended, and does not hold up the host', async () => {
  const reports: LateReport[] = [];
  const reporting = await Runner.start({ sendReport: (report) => reports.push(report) });
  onTestFinished(() => reporting.close());
  const line = `JSON.stringify({ k: 'late', job: id, run: id, counts: { emits: 1, logs: 0, writes: 0, responses: 0, errors: 0 } }) + '\\n'`;
  const code = source(
    `run({ id }) { this.$emit(process.pid); ${afterEnd(`const b = Buffer.from((${line}).repeat(400)); for (;;) fs.writeSync(4, b);`)} }`,
    "import fs from 'node:fs';",
  );
  const job: Job = { kind: 'run', id: 'attack', event: '{"id":"attack"}' };
  const blocked = await blockedMs(async () => {
    const [pid] = (await reporting.run(code, { jobs: [job] })).events;
    await until('the end of the process', () => !isAlive(Number(pid)), { everyMs: 1 });
    await until('a report', () => reports.length > 0, { everyMs: 1 });
  });

  expect(reports).toMatchObject([{ run: 'attack' }]);
  // On a busy machine the report, which comes after 2 s, counts a part of the lines.
  expect(reports[0]?.counts.emits).toBeGreaterThan(0);
  expect(blocked).toBeLessThan(LONGEST_BLOCK_MS);
});
