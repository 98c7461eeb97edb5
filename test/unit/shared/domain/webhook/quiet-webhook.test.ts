import { describe, expect, test } from 'vitest';
import { type Progress, progressAfter } from '../../../../../shared/domain/delivery/delivery-progress.ts';
import {
  healthAfter,
  type HealthChange,
  type RecordedResult,
} from '../../../../../shared/domain/webhook/health-change.ts';
import { HEALTHY } from '../../../../../shared/domain/webhook/webhook-health.ts';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const START = Date.UTC(2031, 2, 1);

/** The attempts of one event, on the schedule, until one succeeds. */
function attemptsOf(at: number, responses: readonly number[], random: number): RecordedResult[] {
  const attempts: RecordedResult[] = [];
  let progress: Progress = { status: 'pending', scheduleStep: 0, messageNumber: 0 };
  for (let now: number | undefined = at; now !== undefined; now = progress.nextAt) {
    const status = responses[attempts.length] ?? responses.at(-1) ?? 200;
    const outcome = status === 200 ? 'delivered' : 'rejected';
    const attempt = { attempt: attempts.length + 1, at: now, outcome, status, ms: 5 } as const;
    attempts.push(attempt);
    progress = progressAfter(progress, { cause: 'schedule', attempt, retrySeconds: null, random, now: now + 5 });
  }
  return attempts;
}

/**
 * Changes of a webhook's health by the attempts of events. Each event has the statuses of its attempts; the last one
 * repeats.
 */
function changesOf(events: readonly (readonly number[])[], apartMs: number, random = 0.5): HealthChange[] {
  const attempts = events.flatMap((responses, n) => attemptsOf(START + n * apartMs, responses, random));
  let health = HEALTHY;
  return attempts
    .toSorted((a, b) => a.at - b.at)
    .map((attempt) => {
      const change = healthAfter(health, {
        attempts: [attempt],
        lastSuccess: undefined,
        now: attempt.at + 5,
      });
      ({ health } = change);
      return change;
    });
}

const disabling = (changes: readonly HealthChange[]) => changes.filter(({ disable }) => disable);
const opening = (changes: readonly HealthChange[]) => changes.filter(({ health }) => health.breaker);

describe('one event a week for a month', () => {
  test.each([422, 400, 413])('switches nothing off when three of them are answered with %i', (status) => {
    for (const events of [
      [[status], [status], [status], [200]],
      [[200], [status], [status], [status]],
      [[status], [status], [status], [status], [status]],
    ]) {
      const changes = changesOf(events, 7 * DAY);
      expect(disabling(changes)).toEqual([]);
      expect(opening(changes)).toEqual([]);
    }
  });

  test.each([0, 0.5, 0.999])('switches nothing off when three of them are answered with 500 (jitter %d)', (random) => {
    expect(disabling(changesOf([[500], [500], [500], [200]], 7 * DAY, random))).toEqual([]);
  });

  test('switches nothing off when three attempts of each fail', () => {
    for (const status of [422, 503])
      expect(
        disabling(
          changesOf(
            Array.from({ length: 5 }, () => [status, status, status, 200]),
            7 * DAY,
          ),
        ),
      ).toEqual([]);
  });
});

test.each([1, 2])('a webhook whose receiver fails at an event every %i days is off after five days', (days) => {
  const changes = changesOf(
    Array.from({ length: 10 }, () => [500]),
    days * DAY,
  );
  const [first] = disabling(changes);
  expect(first?.disable).toBe('failing');
  const at = (first?.health.lastAttempt?.at ?? 0) - START;
  expect(at).toBeGreaterThanOrEqual(5 * DAY - 5);
  expect(at).toBeLessThan(6 * DAY);
});
