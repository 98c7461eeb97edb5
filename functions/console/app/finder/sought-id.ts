export type SoughtId = { kind: 'event' | 'delivery'; id: string } | undefined;

/** The id of an event or of a delivery, whole; undefined for other texts. */
export function soughtId(text: string): SoughtId {
  const id = text.trim();
  if (/^\d{12,15}-\d{1,16}$/.test(id)) return { kind: 'event', id };
  return /^dl_[0-9a-z]{24}$/.test(id) ? { kind: 'delivery', id } : undefined;
}
