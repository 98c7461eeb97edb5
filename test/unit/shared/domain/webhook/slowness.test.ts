import { expect, test } from 'vitest';
import type { AttemptSummary } from '../../../../../shared/domain/delivery/delivery.ts';
import { SLOW_MS, type Slowness, slownessAfter } from '../../../../../shared/domain/webhook/slowness.ts';
import { healthAfter } from '../../../../../shared/domain/webhook/health-change.ts';
import { HEALTHY, renewedHealth } from '../../../../../shared/domain/webhook/webhook-health.ts';
import { skipsFirstAttempt } from '../../../../../shared/domain/webhook/webhook.ts';

const START = Date.UTC(2031, 2, 1);
const slow: AttemptSummary = { at: START, outcome: 'delivered', status: 200, ms: SLOW_MS + 1 };
const fast: AttemptSummary = { ...slow, ms: SLOW_MS };

type Recorded = Parameters<typeof slownessAfter>[1];
const after = (attempts: readonly Recorded[], before: Slowness = {}): Slowness =>
  attempts.reduce(slownessAfter, before);
const times = (count: number, attempt: Recorded): Recorded[] => Array.from({ length: count }, () => attempt);

test('a webhook is slow after five slow responses in a row, since the end of the last one', () => {
  expect(after(times(4, slow)).slowSince).toBeUndefined();
  expect(after(times(5, slow)).slowSince).toBe(START + SLOW_MS + 1);
  expect(after(times(9, { ...slow, at: START + 1 }), after(times(5, slow))).slowSince).toBe(START + SLOW_MS + 1);
});

test('a rejection that comes late is slow, too; an attempt without a response is left to the breaker', () => {
  expect(after(times(5, { ...slow, outcome: 'rejected' })).slowSince).toBeDefined();
  expect(after(times(50, { ...slow, outcome: 'timed_out' })).slowSince).toBeUndefined();
  expect(after(times(50, { ...slow, outcome: 'unreachable' })).slowSince).toBeUndefined();
});

test.each([
  [1, true],
  [9, false],
])('with %i fast responses before each slow one, which nothing recorded, it is slow: %s', (fastBefore, isSlow) => {
  expect(after(times(100, { ...slow, fastBefore })).slowSince !== undefined).toBe(isSlow);
});

test('a slow webhook is fast again after some fast responses, and nothing of it is left after more', () => {
  const before = after(times(100, slow));
  expect(after(times(5, fast), before).slowSince).toBe(before.slowSince);
  expect(after(times(40, fast), before).slowSince).toBeUndefined();
  expect(after(times(200, fast), before)).toEqual({});
});

test('successes and failures keep it in the health; a new URL begins anew', () => {
  const attempts = times(5, slow);
  const { health } = healthAfter(HEALTHY, { attempts, lastSuccess: undefined, now: START + 10_000 });
  expect(health.slowSince).toBe(START + SLOW_MS + 1);
  const failure = { ...fast, at: START + 20_000, outcome: 'rejected', status: 500 } as const;
  const later = healthAfter(health, {
    attempts: [failure],
    lastSuccess: START + 15_000,
    now: START + 20_000,
  });
  expect(later.health.slowSince).toBe(health.slowSince);
  expect(renewedHealth(health, { keepsFailingSince: false, now: START }).slowSince).toBeUndefined();
});

test('the drain sends the new deliveries of a slow webhook, and a probe those of an open breaker', () => {
  const breaker = { openedAt: 1, probe: 1, probeAt: 2 };
  expect(skipsFirstAttempt({ active: true, health: HEALTHY })).toBe(false);
  expect(skipsFirstAttempt({ active: true, health: { ...HEALTHY, slowShare: 0.2 } })).toBe(false);
  expect(skipsFirstAttempt({ active: true, health: { ...HEALTHY, slowSince: 1 } })).toBe(true);
  expect(skipsFirstAttempt({ active: true, health: { ...HEALTHY, breaker } })).toBe(true);
});
