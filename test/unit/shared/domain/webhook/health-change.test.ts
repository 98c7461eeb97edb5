import { describe, expect, test } from 'vitest';
import type { AttemptSummary } from '../../../../../shared/domain/delivery/delivery.ts';
import { DeliveryId } from '../../../../../shared/domain/id.ts';
import {
  healthAfter,
  type HealthChange,
  type RecordedResult,
} from '../../../../../shared/domain/webhook/health-change.ts';
import {
  HEALTHY,
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
const refusal = (at: number): AttemptSummary => failure(at, 422);
const success = (at: number): AttemptSummary => ({ at, outcome: 'delivered', status: 200, ms: 5 });

/** Records attempts one after the other, at the times of their ends. */
function after(attempts: readonly RecordedResult[], before = HEALTHY, lastSuccess?: number) {
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
    expect(recovered.health).toMatchObject({ lastSuccess: START + 2 * MINUTE, recent: [] });
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
    expect(anew).toMatchObject({ recent: [later], failingSince: later, receiverFailingSince: later });
    expect(last?.disable).toBeUndefined();
  });

  test('counts answers about the event, too', () => {
    const { health } = after([refusal(START), failure(START + MINUTE), refusal(START + 2 * MINUTE)]);
    expect(health.failingSince).toBe(START);
    expect(after([success(START + 3 * MINUTE)], health).health.failingSince).toBeUndefined();
  });

  test('does not begin with a refusal whose attempt began before a success', () => {
    expect(after([success(START + 1), refusal(START)]).health.failingSince).toBeUndefined();
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
  test('after 10 failed attempts about the receiver in a row, however far apart', () => {
    const hourly = Array.from({ length: 10 }, (_, n) => failure(START + n * 60 * MINUTE));
    expect(after(hourly.slice(0, 9)).health.breaker).toBeUndefined();
    const { health, last } = after(hourly);
    expect(last?.health.breaker).toBeDefined();
    const openedAt = START + 9 * 60 * MINUTE + 5;
    expect(health.breaker).toEqual({ openedAt, probe: 1, probeAt: openedAt + 10 * SECOND });
  });

  test('when at least 3 attempts about the receiver and no other were made in the last 60 s', () => {
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

  test('never by answers about the event, however many', () => {
    for (const status of [400, 409, 413, 415, 422]) {
      const burst = Array.from({ length: 100 }, (_, n) => failure(START + n, status));
      expect(after(burst).health.breaker).toBeUndefined();
    }
  });

  test.each([301, 401, 404, 429, 503])('by answers with %i', (status) => {
    const three = [0, 1, 2].map((n) => failure(START + n, status));
    expect(after(three).health.breaker).toBeDefined();
  });

  test.each(['timed_out', 'unreachable', 'blocked'] as const)('by attempts without an answer: %s', (outcome) => {
    const three = [0, 1, 2].map((n) => ({ at: START + n, outcome, ms: 5 }));
    expect(after(three).health.breaker).toBeDefined();
  });

  test('not while an answer about the event is at most 60 s old', () => {
    const three = (at: number) => [1, 2, 3].map((ms) => failure(at + ms));
    expect(after([refusal(START), ...three(START + 50 * SECOND)]).health.breaker).toBeUndefined();
    expect(after([refusal(START), ...three(START + 60 * SECOND)]).health.breaker).toBeDefined();
  });

  test('not after 10 failures with an answer about the event between them', () => {
    const rows = [9, 9, 9].flatMap((length, row) => {
      const start = START + row * 10 * MINUTE;
      return [refusal(start), ...Array.from({ length }, (_, n) => failure(start + n * MINUTE + 1))];
    });
    expect(after(rows).changes.filter(({ health }) => health.breaker)).toEqual([]);
  });

  test('not by attempts that began before an answer about the event, and ended later', () => {
    const late = Array.from({ length: 10 }, (_, n) => ({ ...failure(START + n), ms: 2 * MINUTE }));
    expect(after([refusal(START + MINUTE), ...late]).health.breaker).toBeUndefined();
    expect(after(late).health.breaker).toBeDefined();
  });

  test('not after 10 failures in a row while a success is less than 10 s old', () => {
    const row = (at: number) => Array.from({ length: 30 }, (_, n) => failure(at + n));
    expect(after([success(START), ...row(START + 9 * SECOND)]).health.breaker).toBeUndefined();
    expect(after(row(START + 9 * SECOND), HEALTHY, START).health.breaker).toBeUndefined();
    expect(after([success(START), ...row(START + 10 * SECOND)]).health.breaker).toBeDefined();
  });

  test('not for 30 failures in a burst beside one good event a second', () => {
    const attempts = Array.from({ length: 90 }, (_, second) => {
      const at = START + second * SECOND;
      return [success(at), ...Array.from({ length: second % 30 === 0 ? 30 : 0 }, (__, n) => failure(at + 1 + n))];
    });
    expect(after(attempts.flat()).changes.filter(({ health }) => health.breaker)).toEqual([]);
  });

  test('by attempts after another URL was entered only: earlier ones tell nothing about it', () => {
    const anew = renewedHealth(after([success(START), failure(START + 1)]).health, {
      keepsFailingSince: true,
      now: START + 10,
    });
    const late = [2, 3, 4].map((ms) => ({ ...failure(START + ms), ms: 5 * SECOND }));
    const { health } = after(late, anew);
    expect(health).toMatchObject({ recent: [], lastAttempt: late[2], failingSince: START + 1 });
    const three = [11, 12, 13].map((ms) => failure(START + ms));
    expect(after(three.slice(0, 2), health).health.breaker).toBeUndefined();
    expect(after(three, health).health.breaker).toBeDefined();
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
      const attempt = {
        ...failure(at),
        ms: 0,
        probe,
        probed: DeliveryId.parse('dl_000000000000000000000001'),
      };
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

  test('remembers the delivery of its last probe', () => {
    const probed = DeliveryId.parse('dl_000000000000000000000001');
    const attempt = { ...failure(START + MINUTE), probe: 1, probed };
    const { health } = after([attempt], opened);
    expect(health.breaker?.lastProbed).toBe(probed);
    const other = { ...attempt, probe: undefined, probed: DeliveryId.parse('dl_000000000000000000000002') };
    expect(after([other], health).health.breaker).toEqual(health.breaker);
  });

  test.each([
    ['any success', success],
    ['any answer about the event', refusal],
  ])('is closed by %s, and opens again after three more failures a minute later', (_, attempt) => {
    const { health, last } = after([attempt(START + MINUTE)], opened);
    expect(health.breaker).toBeUndefined();
    expect(last?.isClosed).toBe(true);
    const next = [1, 2, 3].map((ms) => failure(START + 2 * MINUTE + ms));
    expect(after(next.slice(0, 2), health).health.breaker).toBeUndefined();
    expect(after(next, health).health.breaker).toBeDefined();
  });

  test('stays failing when an answer about the event closes it', () => {
    const { health, last } = after([refusal(START + MINUTE)], opened);
    expect(health.failingSince).toBe(START);
    expect(last?.changed).toBeUndefined();
  });

  test('is closed by another URL, which keeps failing_since, and by switching on, which does not', () => {
    const now = START + MINUTE;
    const renewed = renewedHealth(opened, { keepsFailingSince: true, now });
    expect(renewed).toMatchObject({ recent: [], failingSince: START });
    expect(renewed.breaker).toBeUndefined();
    expect(renewedHealth(opened, { keepsFailingSince: false, now }).failingSince).toBeUndefined();
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

  test('never by the first attempt of an event when nothing was tried for 60 h', () => {
    const { health } = after([failure(START), failure(START + DAY)]);
    const first = { ...failure(START + 6 * DAY), attempt: 1 };
    expect(after([first], health).health).toMatchObject({
      failingSince: START,
      receiverFailingSince: START + 6 * DAY,
    });
    expect(after([first], health).last?.disable).toBeUndefined();
    expect(after([{ ...first, attempt: 2 }], health).last?.disable).toBe('failing');
  });

  test('never by answers about the event', () => {
    const daily = Array.from({ length: 40 }, (_, day) => refusal(START + day * DAY));
    expect(after(daily).changes.filter(({ disable }) => disable)).toEqual([]);
  });

  test('never while the receiver refuses an event in between', () => {
    const attempts = [0, 1, 2, 3, 4, 5, 6].map((day) => failure(START + day * DAY));
    attempts[3] = refusal(START + 3 * DAY);
    expect(after(attempts).changes.filter(({ disable }) => disable)).toEqual([]);
    expect(after(attempts).health.failingSince).toBe(START);
  });

  test('never by the failures of the URL that it had before', () => {
    const { health } = after([0, 1, 2, 3, 4].map((day) => failure(START + day * DAY)));
    const renewed = renewedHealth(health, { keepsFailingSince: true, now: START + 4.5 * DAY });
    const { health: anew, last } = after([failure(START + 5 * DAY)], renewed);
    expect(anew.failingSince).toBe(START);
    expect(last?.disable).toBeUndefined();
  });

  test('never by a success in between', () => {
    const { last } = after([failure(START), success(START + DAY), failure(START + 5 * DAY)]);
    expect(last?.disable).toBeUndefined();
  });
});
