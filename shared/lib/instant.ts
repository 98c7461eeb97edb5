/** Date, then optionally hours and minutes, seconds with a fraction, and a zone. */
const FORM = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?([.,]\d+)?(?:(Z)|([+-]\d\d):?(\d\d)?)?)?$/i;
const EPOCH = /^\d{1,15}$/;
export const LAST_INSTANT_MS = 8_640_000_000_000_000;

/**
 * Epoch ms, or a time in the extended format of ISO 8601, UTC without a zone. A query turns `+` into a space, which is
 * read as `+`. Undefined for any other text.
 */
export function instantOf(text: string): number | undefined {
  if (EPOCH.test(text)) return Number(text) <= LAST_INSTANT_MS ? Number(text) : undefined;
  const parts = FORM.exec(text.replace(' ', '+'));
  if (!parts) return undefined;
  const [, date = '', time = '00:00', second = ':00', fraction = '', , hours, minutes = '00'] = parts;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const at = Date.parse(`${date}T${time}${second}${fraction.replace(',', '.')}${zone}`);
  // `Date` reads 30 February as a day of March.
  if (Number.isNaN(at) || new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) !== true) return undefined;
  return at;
}
