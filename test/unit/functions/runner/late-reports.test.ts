import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChildLines } from '../../../../functions/runner/child-lines.ts';
import { LateReports } from '../../../../functions/runner/late-reports.ts';
import { UserId } from '../../../../shared/domain/id.ts';
import type { Job } from '../../../../shared/domain/run/run.ts';
import { readLine } from '../../../../shared/domain/run/runner-line.ts';
import type { LateReport } from '../../../../shared/service/runs/late-work.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const NONE = { emits: 0, logs: 0, writes: 0, responses: 0, errors: 0 };
const REQUEST = { ownerId: UserId.parse('u_test'), sourceId: 'dc_test' };
const job = (id: string): Job => ({ kind: 'hook', id, hook: 'activate' });
const emits = (run: string, count: number) => ({ run, counts: { ...NONE, emits: count } });

function sending() {
  const sent: [run: string, emits: number][] = [];
  const work = new LateReports(({ run, counts }: LateReport) => sent.push([run, counts.emits]));
  return { work, sent };
}

test('a run is reported two seconds after its first late call, with all calls until then', () => {
  const { work, sent } = sending();
  work.jobEnded(REQUEST, job('a'));
  work.add(emits('a', 2));
  vi.advanceTimersByTime(1_500);
  work.add(emits('a', 3));
  vi.advanceTimersByTime(499);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([['a', 5]]);
});

test('calls after the report count as those of the next run', () => {
  const { work, sent } = sending();
  work.jobEnded(REQUEST, job('a'));
  work.add(emits('a', 1));
  vi.advanceTimersByTime(2_000);
  work.add(emits('a', 10));
  work.add(emits('a', 10));
  vi.advanceTimersByTime(10_000);
  work.jobEnded(REQUEST, job('b'));
  work.add(emits('b', 1));
  vi.advanceTimersByTime(10_000);
  expect(sent).toEqual([
    ['a', 1],
    ['b', 21],
  ]);
  work.jobEnded(REQUEST, job('c'));
  vi.advanceTimersByTime(10_000);
  expect(sent).toHaveLength(2);
  work.add(emits('a', 5));
  vi.advanceTimersByTime(2_000);
  expect(sent.at(-1)).toEqual(['c', 5]);
});

test('a process that ends is reported at once, and only once', () => {
  const { work, sent } = sending();
  for (const run of ['a', 'b', 'c']) work.jobEnded(REQUEST, job(run));
  work.add(emits('a', 1));
  work.add(emits('c', 2));
  work.flush();
  expect(sent).toEqual([
    ['a', 1],
    ['c', 2],
  ]);
  vi.advanceTimersByTime(10_000);
  work.flush();
  expect(sent).toHaveLength(2);
});

test('a hundred ended runs are known; calls of older ones count as those of the last run', () => {
  const { work, sent } = sending();
  for (let run = 1; run <= 101; run += 1) work.jobEnded(REQUEST, job(`run-${run}`));
  work.add(emits('run-1', 1));
  work.add(emits('run-2', 1));
  work.flush();
  expect(sent).toEqual([
    ['run-101', 1],
    ['run-2', 1],
  ]);
});

test('without a queue, reports wait for the next request', () => {
  const work = new LateReports(undefined);
  work.jobEnded(REQUEST, job('a'));
  work.add(emits('a', 1));
  vi.advanceTimersByTime(10_000);
  work.flush();
  const lines = work.takeLines(job('b'));
  expect(lines.map((line) => readLine(line))).toEqual([{ k: 'late', job: 'b', ...emits('a', 1) }]);
  expect(work.takeLines(job('b'))).toEqual([]);
});

test('a count has a maximum', () => {
  const { work, sent } = sending();
  work.jobEnded(REQUEST, job('a'));
  work.add(emits('a', 999_999));
  work.add(emits('a', 999_999));
  work.flush();
  expect(sent).toEqual([['a', 1_000_000]]);
});

test('a report continues the chain of its run', () => {
  const sent: LateReport[] = [];
  const work = new LateReports((report) => sent.push(report));
  const chain = { hops: 2, left: 40 };
  work.jobEnded(REQUEST, { kind: 'run', id: 'a', event: '{}', chain });
  work.add(emits('a', 1));
  work.flush();
  expect(sent).toMatchObject([{ run: 'a', chain, sourceId: 'dc_test' }]);
});

test('a process may write 10,000 lines between two jobs, and no more', () => {
  const { work } = sending();
  const lines = new ChildLines();
  const chunk = Buffer.from('x\n'.repeat(10_000));
  expect(work.read(lines, chunk)).toBe(true);
  work.jobEnded(REQUEST, job('a'));
  expect(work.read(lines, chunk)).toBe(true);
  expect(work.read(lines, Buffer.from('x\n'))).toBe(false);
});
