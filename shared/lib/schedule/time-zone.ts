import { DAY_MS } from '../durations.ts';

/**
 * Converts between instants and local times of a zone. A local time is the epoch milliseconds of the same reading in
 * UTC.
 */
export interface TimeZone {
  wallAt(instant: number): number;
  /** The first instant with this local time; undefined for a time that a clock change skips. */
  instantOf(wall: number): number | undefined;
}

export const UTC: TimeZone = { wallAt: (instant) => instant, instantOf: (wall) => wall };

/** More than the IANA database has. Users choose names, and a name in another case is one more. */
const MAX_ZONES = 1_000;
const zones = new Map<string, TimeZone>();

/** A zone by its name in the IANA database, if it exists. */
export function timeZone(name: string): TimeZone | undefined {
  const known = name === 'UTC' ? UTC : zones.get(name);
  if (known) return known;
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  const zone = zoneOf((instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  });
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(name, zone);
  return zone;
}

function zoneOf(wallAtSecond: (instant: number) => number): TimeZone {
  const wallAt = (instant: number) => {
    const milliseconds = ((instant % 1000) + 1000) % 1000;
    return wallAtSecond(instant - milliseconds) + milliseconds;
  };
  const offsetAt = (instant: number) => wallAt(instant) - instant;
  return {
    wallAt,
    instantOf(wall) {
      // An offset changes at most once within two days: the right one is that of the day before or of the day after.
      const candidates = [wall - offsetAt(wall - DAY_MS), wall - offsetAt(wall + DAY_MS)];
      const right = candidates.filter((instant) => wallAt(instant) === wall);
      return right.length > 0 ? Math.min(...right) : undefined;
    },
  };
}
