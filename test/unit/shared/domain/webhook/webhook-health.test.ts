import { describe, expect, test } from 'vitest';
import type { AttemptSummary } from '../../../../../shared/domain/delivery/delivery.ts';
import {
  HEALTHY,
  healthAfter,
  type HealthChange,
  isUnhealthy,
  renewedHealth,
  shownHealth,
  type WebhookHealth,
} from '../../../../../shared/domain/webhook/webhook-health.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2031, 2, 1);

const failure = (at: number, status = 500): AttemptSummary => ({ at, outcome: 'rejected', status, ms: 5 });
const success = (at: number): AttemptSummary => ({ at, outcome: 'delivered', status: 200, ms: 5 });

/** Records attempts one after the other, at the times of their ends. */
function after(attempts: readonly AttemptSummary[], before = HEALTHY, lastSuccess?: number) {
  const changes: HealthChange[] = [];
  let health: WebhookHealth = before;
  for (const attempt of attempts) {
    const change = healthAfter(health, { attempts: [attempt], lastSuccess, now: attempt.at + attempt.ms });
    changes.push(change);
    ({ health } = change);
  }
  return { health, changes, last: changes.at(-1) };
}

describe('failing_since', () => {
  test('is the first failure after the last success, and null again after a success', () => {
    const { health } = after([failure(START), failure(START + MINUTE)]);
    expect(health.failingSince).toBe(START);
    expect(isUnhealthy(health)).toBe(true);
    const recovered = after([success(START + 2 * MINUTE)], health);
    expect(recovered.health).toMatchObject({ lastSuccess: START + 2 * MINUTE, failures: 0 });
    expect(recovered.health.failingSince).toBeUndefined();
    expect(isUnhealthy(recovered.health)).toBe(false);
  });

  test('is not shown when the log has a later success', () => {
    const { health } = after([failure(START)]);
    expect(shownHealth(health, success(START - 1)).failingSince).toBe(START);
    expect(shownHealth(health, success(START + 1))).toEqual({
      lastAttempt: success(START + 1),
      lastSuccess: START + 1,
      failingSince: undefined,
    });
  });

  test('does not begin with a failure whose attempt began before a success', () => {
    const late = { ...failure(START), outcome: 'timed_out', ms: 5 * SECOND } as const;
    const { health } = after([success(START + 1), late]);
    expect(health.failingSince).toBeUndefined();
    expect(isUnhealthy(health)).toBe(false);
  });

  test('begins anew after a success that only the log has, so that its five days do, too', () => {
    const { health } = after([failure(START)]);
    const later = START + 5 * DAY;
    expect(after([failure(later)], health).last?.disable).toBe('failing');
    const { health: anew, last } = after([failure(later)], health, START + 1);
    expect(anew).toMatchObject({ failures: 1, failingSince: later, lastSuccess: START + 1 });
    expect(last?.disable).toBeUndefined();
  });

  test('begins and ends with one report each', () => {
    const attempts = [failure(START), failure(START + 1), success(START + 2), success(START + 3)];
    expect(after(attempts).changes.map(({ changed }) => changed)).toEqual([
      'failing',
      undefined,
      'recovered',
      undefined,
    ]);
  });
});

describe('the breaker opens', () => {
  test('after 10 failed attempts in a row, however far apart', () => {
    const hourly = Array.from({ length: 10 }, (_, n) => failure(START + n * 60 * MINUTE));
    expect(after(hourly.slice(0, 9)).health.breaker).toBeUndefined();
    const { health, last } = after(hourly);
    expect(last?.health.breaker).toBeDefined();
    const openedAt = START + 9 * 60 * MINUTE + 5;
    expect(health.breaker).toEqual({ openedAt, probe: 1, probeAt: openedAt + 10 * SECOND });
  });

  test('when at least 3 attempts and every one of the last 60 s failed', () => {
    const three = [failure(START), failure(START + 20 * SECOND), failure(START + 59 * SECOND)];
    expect(after(three.slice(0, 2)).health.breaker).toBeUndefined();
    expect(after(three).health.breaker).toBeDefined();
    const slower = [failure(START), failure(START + 35 * SECOND), failure(START + 70 * SECOND)];
    expect(after(slower).health.breaker).toBeUndefined();
  });

  test('not while a success is at most 60 s old, in the health or in the log', () => {
    const three = [failure(START + 1), failure(START + 2), failure(START + 3)];
    expect(after([success(START), ...three]).health.breaker).toBeUndefined();
    expect(after(three, HEALTHY, START).health.breaker).toBeUndefined();
    expect(after(three, HEALTHY, START - 61 * SECOND).health.breaker).toBeDefined();
  });

  test('not while a success is known that the log does not have yet', () => {
    const attempts = [1, 2, 3].map((ms) => ({ ...failure(START + ms), knownSuccess: START }));
    const { health } = healthAfter(HEALTHY, { attempts, lastSuccess: undefined, now: START + 10 });
    expect(health.breaker).toBeUndefined();
  });

  test('not for a single delivery that follows the retry schedule, before its tenth attempt', () => {
    const schedule = [0, 5 * SECOND, 5 * MINUTE, 35 * MINUTE, 155 * MINUTE, 455 * MINUTE];
    expect(after(schedule.map((ms) => failure(START + ms))).health.breaker).toBeUndefined();
  });
});

describe('an open breaker', () => {
  const opened = after(Array.from({ length: 10 }, (_, n) => failure(START + n))).health;

  test('probes after 10 s, doubling to 10 min', () => {
    let health = opened;
    const waits: number[] = [];
    for (let probe = 1; probe <= 9; probe += 1) {
      const at = health.breaker?.probeAt ?? expect.fail();
      const attempt = { ...failure(at), ms: 0, probe };
      ({ health } = healthAfter(health, { attempts: [attempt], lastSuccess: undefined, now: at }));
      waits.push((health.breaker?.probeAt ?? 0) - at);
    }
    expect(waits.map((ms) => ms / SECOND)).toEqual([20, 40, 80, 160, 320, 600, 600, 600, 600]);
  });

  test('is not moved by attempts that are no probe, or an older one', () => {
    for (const probe of [undefined, 0]) {
      const attempt = { ...failure(START + MINUTE), probe };
      const { health } = healthAfter(opened, {
        attempts: [attempt],
        lastSuccess: undefined,
        now: START + MINUTE,
      });
      expect(health.breaker).toEqual(opened.breaker);
    }
  });

  test('is closed by any success', () => {
    const { health, last } = after([success(START + MINUTE)], opened);
    expect(health.breaker).toBeUndefined();
    expect(last?.isClosed).toBe(true);
  });

  test('is closed by another URL, which keeps failing_since, and by switching on, which does not', () => {
    expect(renewedHealth(opened, { keepsFailingSince: true })).toMatchObject({
      failures: 0,
      failingSince: START,
    });
    expect(renewedHealth(opened, { keepsFailingSince: true }).breaker).toBeUndefined();
    expect(renewedHealth(opened, { keepsFailingSince: false }).failingSince).toBeUndefined();
  });
});

describe('a webhook is deactivated', () => {
  test('by a 410, at once', () => {
    expect(after([failure(START, 410)]).last?.disable).toBe('gone');
  });

  test('by a failure five days after the first one, not before', () => {
    const { health } = after([failure(START)]);
    expect(after([failure(START + 5 * DAY - 10)], health).last?.disable).toBeUndefined();
    const { last } = after([failure(START + 5 * DAY)], health);
    expect(last?.disable).toBe('failing');
  });

  test('never by a success in between', () => {
    const { last } = after([failure(START), success(START + DAY), failure(START + 5 * DAY)]);
    expect(last?.disable).toBeUndefined();
  });
});
