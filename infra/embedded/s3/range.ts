import { invalidRange } from './errors.ts';

interface ByteRange {
  readonly start: number;
  /** The last byte, included. */
  readonly end: number;
}

/**
 * A single byte range of RFC 9110. Undefined for headers that S3 ignores (several ranges, other units, malformed
 * ranges). Throws for a range outside the body.
 */
export function byteRange(range: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    if (length === 0) throw invalidRange({ RangeRequested: range, ActualObjectSize: String(size) });
    return { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) throw invalidRange({ RangeRequested: range, ActualObjectSize: String(size) });
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
