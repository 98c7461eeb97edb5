import * as z from 'zod';

/** Seconds, their fraction and the zone are optional; second 60 is a leap second. */
const FORM =
  /^(\d{4}-(?:0[1-9]|1[0-2])-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/i;

function isIsoTime(text: string): boolean {
  const [, date] = FORM.exec(text) ?? [];
  // `Date` reads 30 February as a day of March, so compare its date with the text.
  return date !== undefined && new Date(date).toJSON()?.startsWith(date) === true;
}

/** A time in the extended format of ISO 8601, stored and returned as sent. */
export const IsoTime = z.string().refine(isIsoTime, 'must be an ISO 8601 time, such as 2031-03-01T12:00:00Z');
