import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../shared/lib/durations.ts';

/** The last part of a list, by the value that stands in the address. */
export const PERIODS = [
  { value: '15m', text: 'Last 15 minutes', ms: 15 * MINUTE_MS },
  { value: '1h', text: 'Last hour', ms: HOUR_MS },
  { value: '24h', text: 'Last 24 hours', ms: DAY_MS },
  { value: '7d', text: 'Last 7 days', ms: 7 * DAY_MS },
] as const;

/** A choice of times as it stands in the address. */
export interface ChosenTime {
  /** The value of a period, or empty. */
  time: string;
  /** ISO 8601 or epoch ms; empty without a bound. With one of both, the period is ignored. */
  since: string;
  until: string;
}

/** Times in epoch ms: from `sinceMs`, and before `untilMs`. */
export interface TimeRange {
  sinceMs?: number;
  untilMs?: number;
}

export const isBetween = ({ since, until }: ChosenTime): boolean => since !== '' || until !== '';

/** The range of a choice at a time. A text that is no time is no bound. */
export function rangeOf(chosen: ChosenTime, now: number): TimeRange {
  if (isBetween(chosen)) {
    const [sinceMs, untilMs] = [timeOf(chosen.since), timeOf(chosen.until)];
    return {
      ...(sinceMs === undefined ? {} : { sinceMs }),
      ...(untilMs === undefined ? {} : { untilMs }),
    };
  }
  const period = PERIODS.find(({ value }) => value === chosen.time);
  return period ? { sinceMs: now - period.ms } : {};
}

export const isInRange = (ms: number, { sinceMs = 0, untilMs = Infinity }: TimeRange): boolean =>
  ms >= sinceMs && ms < untilMs;

/** Epoch ms of ISO 8601 or of epoch ms; undefined for another text. */
export function timeOf(text: string): number | undefined {
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  return text === '' || Number.isNaN(ms) || Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

const padded = (part: number): string => String(part).padStart(2, '0');

/** A time as the box of a browser for date and time has it: local, to the minute. */
export function localText(ms: number): string {
  const date = new Date(ms);
  const day = [date.getFullYear(), padded(date.getMonth() + 1), padded(date.getDate())].join('-');
  return `${day}T${padded(date.getHours())}:${padded(date.getMinutes())}`;
}
