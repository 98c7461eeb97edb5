import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { choiceOfTimer, timerOfChoice } from '../../../../functions/console/app/props/timer-choice.ts';

const own = choiceOfTimer(undefined);

describe('the choice of a timer', () => {
  test.each([
    [{ interval_seconds: 900, cron: null }, 'quarter', { interval_seconds: 900 }],
    [{ intervalSeconds: 3_600 }, 'hour', { interval_seconds: 3_600 }],
    [undefined, 'hour', { interval_seconds: 3_600 }],
    [{ interval_seconds: 90, cron: null }, 'interval', { interval_seconds: 90 }],
    [{ interval_seconds: null, cron: '0 6 * * *' }, 'daily', { cron: '0 6 * * *' }],
    [
      { interval_seconds: null, cron: '5 18 * * *', timezone: 'Europe/Rome' },
      'daily',
      { cron: '5 18 * * *', timezone: 'Europe/Rome' },
    ],
    [{ cron: '0 9 * * 1-5', timezone: 'UTC' }, 'cron', { cron: '0 9 * * 1-5' }],
  ])('of %j is %s, and makes the same timer again', (value, kind, timer) => {
    const choice = choiceOfTimer(value);
    expect(choice.kind).toBe(kind);
    expect(timerOfChoice(choice)).toEqual({ value: timer });
  });

  test('a new daily time is one of the zone of the browser; a stored cron without a zone is one of UTC', () => {
    const options = Intl.DateTimeFormat().resolvedOptions();
    const zone = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
    zone.mockReturnValue({ ...options, timeZone: 'Asia/Tokyo' });
    onTestFinished(() => zone.mockRestore());
    expect(choiceOfTimer(undefined).zone).toBe('Asia/Tokyo');
    expect(choiceOfTimer({ cron: '0 6 * * *' }).zone).toBe('UTC');
    expect(timerOfChoice({ ...own, kind: 'daily', time: '07:30', zone: 'Asia/Tokyo' })).toEqual({
      value: { cron: '30 7 * * *', timezone: 'Asia/Tokyo' },
    });
  });

  test.each([
    [{ kind: 'interval', seconds: '14' }, 'Enter a whole number of seconds, from 15.'],
    [{ kind: 'interval', seconds: '1.5' }, 'Enter a whole number of seconds, from 15.'],
    [{ kind: 'daily', time: '' }, 'Enter a time.'],
    [{ kind: 'cron', cron: '@daily' }, 'The cron expression has the short form @daily'],
    [{ kind: 'cron', cron: '0 9 * *' }, 'The cron expression must have five fields'],
  ] as const)('%j is refused with a sentence', (change, problem) => {
    expect(timerOfChoice({ ...own, ...change })).toMatchObject({ problem: expect.stringContaining(problem) as string });
  });
});
