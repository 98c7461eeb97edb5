const two = (part: number): string => String(part).padStart(2, '0');

/** `16:52:04` in the local time zone. */
export function localTime(ms: number): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
}

function localDate(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** `2026-11-22 16:52:04` in the local time zone. */
export const localDateTime = (ms: number): string => `${localDate(ms)} ${localTime(ms)}`;

/** `16:52:04` for today, date and time for other days. */
export const shortTime = (ms: number, now: number): string =>
  localDate(ms) === localDate(now) ? localTime(ms) : localDateTime(ms);

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `2h`; undefined for another text. */
export function readDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS[unit] ?? 0);
}

/** Epoch ms of `2h` (ago) or an ISO time; undefined if the text is neither. */
export function readSince(text: string, now: number): number | undefined {
  const duration = readDuration(text);
  if (duration !== undefined) return now - duration;
  // A date without a zone is UTC, as in the API.
  const isIso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/.test(text);
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10));
  const ms = Date.parse(isIso && !hasZone && text.length > 10 ? `${text}Z` : text);
  return isIso && !Number.isNaN(ms) ? ms : undefined;
}
