/** The timer of a source, as the API shows it. */
interface ShownTimer {
  interval_seconds: number | null;
  cron: string | null;
  timezone?: string | undefined;
}

const UNITS = [
  [86_400, 'day', 'days'],
  [3_600, 'hour', 'h'],
  [60, 'minute', 'min'],
  [1, 'second', 's'],
] as const;

/** `every minute`, `every 15 min`, `every 90 s`. */
function intervalText(seconds: number): string {
  const [length, one, many] = UNITS.find(([unit]) => seconds % unit === 0) ?? UNITS[3];
  return seconds === length ? `every ${one}` : `every ${seconds / length} ${many}`;
}

/** `hourly at :05`, `daily at 06:00 UTC`, or the expression. */
function cronText(cron: string, timezone: string): string {
  const [, minute = '', hour = ''] = /^(\d{1,2}) (\d{1,2}|\*) \* \* \*$/.exec(cron.trim()) ?? [];
  if (hour === '') return `cron ${cron} ${timezone}`;
  return hour === '*'
    ? `hourly at :${minute.padStart(2, '0')}`
    : `daily at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')} ${timezone}`;
}

/** The schedule of a timer in words. */
export const timerText = ({ interval_seconds: seconds, cron, timezone = 'UTC' }: ShownTimer): string =>
  cron === null ? intervalText(seconds ?? 0) : cronText(cron, timezone);
