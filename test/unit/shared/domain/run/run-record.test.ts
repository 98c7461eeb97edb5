import { expect, test } from 'vitest';
import {
  type EndedRun,
  isChunk,
  lineOf,
  NO_RUNS,
  recordsOf,
  runMark,
  withLines,
} from '../../../../../shared/domain/run/run-record.ts';

/** docs/data-model.md: the record of a run is a line of about 25 bytes in the state. */

const at = 1_795_800_000_123;
const run: EndedRun = { state: 'done', receivedAt: at, startedAt: at + 12, endedAt: at + 140 };

test.each([
  ['a run', run, 3],
  ['a trigger without a run', { ...run, state: 'skipped', startedAt: undefined }, 0],
  ['a run on a clock that was set back', { ...run, startedAt: at - 50, endedAt: at - 7 }, 1_000],
  ['a failed run', { ...run, state: 'failed', error: { code: 'E', message: '"[a],\u2028\n' } }, 0],
  ['an error without words', { ...run, state: 'failed', error: { code: '', message: '' } }, 0],
] as const)('the record of %s is read as it was written', (_name, ended, emitted) => {
  const text = lineOf('api-1', ended, emitted) + lineOf('api-2', run, 1);
  expect(recordsOf(text)).toEqual([
    { error: undefined, ...ended, id: runMark('api-1'), emitted },
    { error: undefined, ...run, id: runMark('api-2'), emitted: 1 },
  ]);
});

test('a line has about 25 bytes, whatever the id of its trigger', () => {
  expect(lineOf(`http-${'a'.repeat(200)}`, run, 3).length).toBeLessThanOrEqual(26);
});

test('a line of another form is left out', () => {
  expect(recordsOf(`["api-1",0,1,2,3,4]\n${lineOf('api-2', run, 1)}`)).toHaveLength(1);
});

test('twenty records become a chunk', () => {
  const lines = (count: number) => lineOf('t', run, 1).repeat(count);
  const recent = withLines(NO_RUNS, lines(19));
  expect(isChunk(recent)).toBe(false);
  expect(isChunk(withLines(recent, lines(1)))).toBe(true);
});
