import { expect, test } from 'vitest';
import { SourceId } from '../../../../../shared/domain/id.ts';
import { createBacklogs, LARGEST_BACKLOG } from '../../../../../shared/service/admission/backlogs.ts';

const id = SourceId.parse('dc_1');

function world() {
  const clock = { now: 0 };
  const backlogs = createBacklogs(() => clock.now);
  const accept = (count: number) => {
    for (let n = 0; n < count; n += 1) backlogs.accept(id);
  };
  return { clock, backlogs, accept };
}

test('a source that keeps up has no backlog, however many requests it gets', () => {
  const { backlogs, accept } = world();
  for (let completed = 0; completed < 10 * LARGEST_BACKLOG; completed += LARGEST_BACKLOG) {
    expect(backlogs.isTooLong(id, completed)).toBe(false);
    accept(LARGEST_BACKLOG);
  }
});

test('what other processes and emitters send does not make a backlog longer', () => {
  const { backlogs, accept } = world();
  backlogs.isTooLong(id, 0);
  accept(LARGEST_BACKLOG + 1);
  expect(backlogs.isTooLong(id, 0)).toBe(true);
  expect(backlogs.isTooLong(id, 1_000_000), 'it ran more than this process sent').toBe(false);
  accept(LARGEST_BACKLOG);
  expect(backlogs.isTooLong(id, 1_000_000)).toBe(false);
});

test('each source has its own', () => {
  const { backlogs, accept } = world();
  const other = SourceId.parse('dc_2');
  for (const one of [id, other]) backlogs.isTooLong(one, 0);
  accept(LARGEST_BACKLOG + 1);
  expect([id, other].map((one) => backlogs.isTooLong(one, 0))).toEqual([true, false]);
});

test('requests that were never completed, because they are dead letters, are forgotten after three minutes', () => {
  const { clock, backlogs, accept } = world();
  backlogs.isTooLong(id, 0);
  accept(LARGEST_BACKLOG + 1);
  clock.now += 179_000;
  expect(backlogs.isTooLong(id, 0)).toBe(true);
  clock.now += 1_000;
  expect(backlogs.isTooLong(id, 0)).toBe(false);
});
