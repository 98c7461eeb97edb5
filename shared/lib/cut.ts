/** Whether the UTF-16 unit at an index is the first half of a surrogate pair. */
const isFirstHalf = (text: string, index: number): boolean => (text.charCodeAt(index) & 0xfc00) === 0xd800;

/** The beginning of a text: at most this many UTF-16 units, and no half of a character. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return text.slice(0, isFirstHalf(text, longest - 1) ? longest - 1 : longest);
}

/** The end of a text, like {@link cut}. */
export function cutEnd(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = text.length - longest;
  return text.slice(isFirstHalf(text, start - 1) ? start + 1 : start);
}

/** The text in the first bytes of a UTF-8 document that may be longer, and no part of a character at its end. */
export const textOfStart = (utf8: Uint8Array, bytes: number): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8.subarray(0, bytes), { stream: true });

/** The beginning of a text: at most this many bytes of UTF-8, and no part of a character. */
export function cutToBytes(text: string, bytes: number): string {
  // A UTF-16 unit has at most three bytes.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  return textOfStart(Buffer.from(text), bytes);
}

/** Number of code points: a surrogate pair counts as one character. */
const characterCount = (text: string): number => Array.from(text).length;

/** Whether a text has at most this many characters. Most texts need no count. */
export const hasAtMost = (text: string, characters: number): boolean =>
  text.length <= characters || (text.length <= 2 * characters && characterCount(text) <= characters);
