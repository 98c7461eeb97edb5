import { expect, test } from 'vitest';
import { readCron } from '../../../../../shared/lib/schedule/cron.ts';
import { readTimer } from '../../../../../shared/domain/component/timer.ts';

test.each([
  ['* * * * *', 'cron(* * * * ? *)'],
  ['*/5 * * * *', 'cron(0/5 * * * ? *)'],
  ['0 9 * * 1-5', 'cron(0 9 ? * 2-6 *)'],
  ['0 9 * * MON-FRI', 'cron(0 9 ? * 2-6 *)'],
  ['30 8 1 * *', 'cron(30 8 1 * ? *)'],
  ['0 0 1 JAN,jul *', 'cron(0 0 1 1,7 ? *)'],
  ['0 0 * * 0', 'cron(0 0 ? * 1 *)'],
  ['0 0 * * 7', 'cron(0 0 ? * 1 *)'],
  ['0 0 * * 5-7', 'cron(0 0 ? * 1,6,7 *)'],
  ['0 0 * * */2', 'cron(0 0 ? * 1/2 *)'],
  ['0 0 * * 0-6', 'cron(0 0 * * ? *)'],
  ['10-40/20 0-3 * * *', 'cron(10,30 0-3 * * ? *)'],
  ['  5   4  *  *  *  ', 'cron(5 4 * * ? *)'],
  ['5/15 * * * *', 'cron(5/15 * * * ? *)'],
])('%s is %s', (text, expression) => {
  expect(readCron(text)).toMatchObject({ ok: true, expression });
});

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * 32 * *',
  '* * * 13 *',
  '* * * * 8',
  '*/0 * * * *',
  '5-1 * * * *',
  'a * * * *',
  '1, * * * *',
  '-1 * * * *',
  '? * * * *',
  '0 0 1 * 1',
  '0 0 1-30 * MON',
  '@hourly',
])('%j is refused', (text) => {
  expect(readCron(text).ok).toBe(false);
});

test('an expression that needs more than 256 characters is refused', () => {
  const odd = (count: number) =>
    Array.from({ length: count }, (_, n) => n)
      .filter((n) => n % 3 !== 1)
      .join(',');
  expect(readCron(`${odd(59)} ${odd(23)} * * *`).ok).toBe(true);
  expect(`${odd(59)} ${odd(23)}`.length).toBeLessThan(256);
});

test.each([
  [undefined, { interval_seconds: 3_600, cron: null }],
  [null, { interval_seconds: 3_600, cron: null }],
  [{}, { interval_seconds: 3_600, cron: null }],
  [
    { interval_seconds: null, cron: null },
    { interval_seconds: 3_600, cron: null },
  ],
  [{ intervalSeconds: 86_400_000 }, { interval_seconds: 86_400_000, cron: null }],
  [
    { cron: '0 0 * * *', timezone: null },
    { interval_seconds: null, cron: '0 0 * * *' },
  ],
])('the timer %j is read as %j', (input, value) => {
  expect(readTimer(input)).toEqual({ ok: true, value });
});
