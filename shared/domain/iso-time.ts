import * as z from 'zod';

/** Of a day, its fraction and the zone may be left out; a leap second is one. */
const FORM =
  /^(\d{4}-(?:0[1-9]|1[0-2])-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/i;

function isIsoTime(text: string): boolean {
  const [, date] = FORM.exec(text) ?? [];
  // A 30th of February is read as a day of March.
  return date !== undefined && new Date(date).toJSON()?.startsWith(date) === true;
}

/** A moment in the extended form of ISO 8601; it is shown as it was sent. */
export const IsoTime = z
  .string()
  .refine(isIsoTime, 'must be a time as ISO 8601 writes it, such as 2031-03-01T12:00:00Z');
