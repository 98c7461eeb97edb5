import { expect, test } from 'vitest';
import { failureSubjectOf } from '../../../../../shared/domain/delivery/failure-subject.ts';

const ABOUT_RECEIVER = [401, 402, 403, 404, 407, 408, 410, 421, 423, 424, 425, 429];
const statuses = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
const subjectOf = (status: number) => failureSubjectOf({ outcome: 'rejected', status });

test.each(ABOUT_RECEIVER)('%i tells about the receiver', (status) => {
  expect(subjectOf(status)).toBe('receiver');
});

test('every other 4xx tells about the event', () => {
  const others = statuses(400, 500).filter((status) => !ABOUT_RECEIVER.includes(status));
  expect(others).toEqual(expect.arrayContaining([400, 405, 406, 409, 411, 413, 415, 418, 422, 451, 499]));
  expect(new Set(others.map(subjectOf))).toEqual(new Set(['event']));
});

test('redirects, 5xx and statuses that nobody defined tell about the receiver', () => {
  const others = [...statuses(100, 200), ...statuses(300, 400), ...statuses(500, 1_000)];
  expect(new Set(others.map(subjectOf))).toEqual(new Set(['receiver']));
});

test.each(['timed_out', 'unreachable', 'blocked'] as const)(
  'an attempt without a response tells about the receiver: %s',
  (outcome) => {
    expect(failureSubjectOf({ outcome })).toBe('receiver');
  },
);

test('a status counts only of a response that was read to its end', () => {
  expect(failureSubjectOf({ outcome: 'timed_out', status: 422 })).toBe('receiver');
});

test('a success tells about neither', () => {
  expect(failureSubjectOf({ outcome: 'delivered', status: 200 })).toBeUndefined();
});
