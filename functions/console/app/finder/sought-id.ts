export type SoughtId = { kind: 'event' | 'delivery'; id: string } | undefined;

/** The id of an event or of a delivery, whole; undefined for other texts. */
export function soughtId(text: string): SoughtId {
  const id = text.trim();
  if (/^\d{12,15}-\d{1,16}$/.test(id)) return { kind: 'event', id };
  return /^dl_[0-9a-z]{24}$/.test(id) ? { kind: 'delivery', id } : undefined;
}

/** The greatest sequence number of an event. */
const LAST_SEQUENCE = 2 ** 53 - 1;

/** The position right before an event. */
export function positionBefore(eventId: string): string {
  const [ms = '0', sequence = '0'] = eventId.split('-');
  return sequence === '0'
    ? `${Math.max(0, Number(ms) - 1)}-${LAST_SEQUENCE}`
    : `${ms}-${Number(sequence) - 1}`;
}
