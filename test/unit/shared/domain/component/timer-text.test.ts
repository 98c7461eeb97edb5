import { expect, test } from 'vitest';
import { timerText } from '../../../../../shared/domain/component/timer-text.ts';

const interval = (seconds: number) => ({ interval_seconds: seconds, cron: null });
const cron = (expression: string, timezone?: string) => ({
  interval_seconds: null,
  cron: expression,
  ...(timezone === undefined ? {} : { timezone }),
});

test.each([
  [interval(900), 'every 15 min'],
  [interval(3_600), 'every hour'],
  [interval(7_200), 'every 2 h'],
  [interval(86_400), 'every day'],
  [interval(60), 'every minute'],
  [interval(90), 'every 90 s'],
  [cron('0 6 * * *'), 'daily at 06:00 UTC'],
  [cron('30 18 * * *', 'Europe/Rome'), 'daily at 18:30 Europe/Rome'],
  [cron('5 * * * *'), 'hourly at :05'],
  [cron('0 9 * * 1-5'), 'cron 0 9 * * 1-5 UTC'],
])('the timer %j is told as %s', (timer, text) => {
  expect(timerText(timer)).toBe(text);
});
