/** A value of the disk: bytes, or a text, which may come in pieces. No character is in two pieces. */
export type DiskValue = string | Uint8Array | readonly string[];

/** A longer text stays a piece of its own: joined to other text, it would be copied. */
const LONGEST_JOINED = 4096;

/** The text after a short head, as one value. */
export const valueWithHead = (head: string, text: string): DiskValue =>
  text.length > LONGEST_JOINED ? [head, text] : head + text;

export const isBytes = (value: DiskValue): value is Uint8Array => value instanceof Uint8Array;

export const valueText = (value: DiskValue): string =>
  typeof value === 'string' ? value : isBytes(value) ? Buffer.from(value).toString() : value.join('');

export const valueBytes = (value: DiskValue): Uint8Array => (isBytes(value) ? value : Buffer.from(valueText(value)));
