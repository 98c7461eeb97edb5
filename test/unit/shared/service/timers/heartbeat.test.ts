import { beforeEach, expect, test, vi } from 'vitest';
import { healthProblem, type ServiceMarks } from '../../../../../shared/domain/service-health.ts';
import { createHeartbeat } from '../../../../../shared/service/timers/heartbeat.ts';

const NOW = Date.UTC(2031, 2, 29, 22, 10);
const MINUTE = 60_000;

let now: number;
let marks: ServiceMarks;
let isStalled: boolean;
let failing: string[];
const [report, onFailed, writes] = [vi.fn(() => Promise.resolve()), vi.fn(), vi.fn()];

beforeEach(() => {
  [now, marks, isStalled, failing] = [NOW, {}, false, []];
  for (const mock of [report, onFailed, writes]) mock.mockClear();
});

const beat = (ageMs = 0) =>
  createHeartbeat({
    marks: {
      read: async () => marks,
      setStalled: async (stalledSince) => {
        writes();
        marks = { ...marks, stalledSince };
      },
    },
    isStalled: async () => isStalled,
    addresses: ['https://api.example/healthz', 'https://in.example/healthz'],
    probe: async (address) => {
      if (failing.includes(address)) throw new Error(`${address} answered 503`);
    },
    report,
    onFailed,
    now: () => now,
  })({ kind: 'heartbeat', scheduledAt: new Date(now - ageMs).toISOString() });

test('reports when both APIs answer', async () => {
  await beat();
  expect(report).toHaveBeenCalledOnce();
  expect(onFailed).not.toHaveBeenCalled();
});

test.each(['https://api.example/healthz', 'https://in.example/healthz'])(
  'reports nothing when %s does not answer 200, and says why',
  async (address) => {
    failing = [address];
    await beat();
    expect(report).not.toHaveBeenCalled();
    expect(onFailed).toHaveBeenCalledWith(new Error(`${address} answered 503`));
  },
);

test('a message that waited says nothing about now', async () => {
  await beat(2 * MINUTE);
  expect(report).not.toHaveBeenCalled();
  await beat(2 * MINUTE - 1);
  expect(report).toHaveBeenCalledOnce();
});

test('triggers that wait while none runs make the service unwell after five minutes, until one runs', async () => {
  await beat();
  expect(writes).not.toHaveBeenCalled();
  isStalled = true;
  for (let minute = 0; minute < 5; minute += 1) {
    await beat();
    expect(healthProblem(marks, now)).toBeUndefined();
    now += MINUTE;
  }
  await beat();
  expect(healthProblem(marks, now)).toBe('Triggers that may run have waited for more than 5 minutes.');
  expect(writes).toHaveBeenCalledOnce();
  isStalled = false;
  await beat();
  expect(healthProblem(marks, now)).toBeUndefined();
});
