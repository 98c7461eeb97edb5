import { describe, expect, test } from 'vitest';
import type { AttemptSummary } from '../../../../../shared/domain/delivery/delivery.ts';
import {
  type AttemptCause,
  type Progress,
  progressAfter,
} from '../../../../../shared/domain/delivery/delivery-progress.ts';

const NOW = Date.UTC(2031, 2, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const waiting: Progress = { status: 'retrying', scheduleStep: 3, messageNumber: 3, nextAt: NOW };
const failure: AttemptSummary = { at: NOW, outcome: 'rejected', status: 500, ms: 1 };
const success: AttemptSummary = { at: NOW, outcome: 'delivered', status: 200, ms: 1 };
const after = (before: Progress, cause: AttemptCause, attempt: AttemptSummary) =>
  progressAfter(before, { cause, attempt, retrySeconds: null, random: 0.5, now: NOW });

describe('a failed attempt', () => {
  test('of the schedule takes a schedule step and needs the message with the next number', () => {
    expect(after(waiting, 'schedule', failure)).toEqual({
      status: 'retrying',
      scheduleStep: 4,
      messageNumber: 4,
      nextAt: NOW + 2 * 60 * 60 * 1_000,
      needsMessage: true,
    });
  });

  test('is the last one when it is the tenth of the schedule', () => {
    expect(after({ ...waiting, scheduleStep: 9 }, 'schedule', failure)).toMatchObject({
      status: 'failed',
      nextAt: undefined,
      needsMessage: false,
    });
  });

  test('with status 410 ends the delivery', () => {
    expect(after(waiting, 'schedule', { ...failure, status: 410 }).status).toBe('failed');
  });

  test.each([
    ['held', 'schedule'],
    ['held', 'probe'],
    ['failed', 'schedule'],
    ['discarded', 'recover'],
    ['delivered', 'recover'],
    ['delivered', 'probe'],
  ] as const)('leaves %s, which the delivery became meanwhile, in a %s', (status, cause) => {
    const before = { ...waiting, status, nextAt: undefined };
    expect(after(before, cause, failure)).toEqual({ ...before, needsMessage: false });
  });

  test('of a probe takes a schedule step like any other', () => {
    expect(after(waiting, 'probe', failure)).toEqual(after(waiting, 'schedule', failure));
    expect(after({ ...waiting, scheduleStep: 9 }, 'probe', failure).status).toBe('failed');
  });

  test.each([
    [{ ...failure, status: 429 }, undefined, 60_000],
    [{ ...failure, outcome: 'timed_out', status: undefined }, undefined, 60_000],
    [failure, 90_000, 90_000],
    [{ ...failure, status: 429 }, 5_000, 60_000],
    [failure, 1_000 * DAY_MS, 4 * HOUR_MS + 2 * HOUR_MS],
  ] as const)('with the response %j and Retry-After %s is not sent again for %i ms', (attempt, retryAfter, ms) => {
    const request = {
      cause: 'schedule',
      attempt,
      retrySeconds: null,
      retryAfterMs: retryAfter,
      random: 0.5,
      now: NOW,
    } as const;
    const progress = progressAfter(waiting, request);
    expect(progress.notBefore).toBe(NOW + ms);
    expect(progress.nextAt).toBeGreaterThanOrEqual(NOW + ms);
  });

  test.each(['retrying', 'failed', 'held', 'discarded', 'delivered'] as const)(
    'of a redelivery leaves %s and the schedule as they were',
    (status) => {
      const before = { ...waiting, status };
      expect(after(before, 'redeliver', failure)).toEqual({ ...before, needsMessage: false });
    },
  );

  test('of a recovery begins the schedule anew', () => {
    for (const status of ['failed', 'held'] as const) {
      const before: Progress = { status, scheduleStep: 10, messageNumber: 10 };
      expect(after(before, 'recover', failure)).toMatchObject({
        status: 'retrying',
        scheduleStep: 1,
        messageNumber: 11,
        nextAt: NOW + 5_000,
        needsMessage: true,
      });
    }
  });

  test('of a recovery leaves a retrying delivery where it was', () => {
    expect(after(waiting, 'recover', failure)).toEqual({ ...waiting, needsMessage: false });
  });
});

test.each(['schedule', 'probe', 'recover', 'redeliver'] as const)('a success of a %s delivers', (cause) => {
  for (const status of ['pending', 'retrying', 'failed', 'held', 'discarded'] as const)
    expect(after({ ...waiting, status }, cause, success)).toEqual({
      status: 'delivered',
      scheduleStep: 3,
      messageNumber: 3,
      nextAt: undefined,
      needsMessage: false,
    });
});
