import { timeFormat } from '../locale.ts';

const TIME = timeFormat({ timeStyle: 'medium' });
const DAY_AND_TIME = timeFormat({
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const DATE_AND_TIME = timeFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** The shortest format that tells a time of today, of this year and of earlier years apart. */
function formatOf(date: Date): Intl.DateTimeFormat {
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return TIME;
  return date.getFullYear() === now.getFullYear() ? DAY_AND_TIME : DATE_AND_TIME;
}

/** A local time; the tooltip has the ISO time. */
export function Time({ ms }: { ms: number }) {
  const date = new Date(ms);
  const iso = date.toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {formatOf(date).format(date)}
    </time>
  );
}

/** A time, or a dash for none. */
export const TimeOrDash = ({ ms }: { ms: number | null }) =>
  ms === null ? <span class="muted">–</span> : <Time ms={ms} />;
