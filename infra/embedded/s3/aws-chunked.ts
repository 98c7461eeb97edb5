import {
  checkDigests,
  checkForm,
  checksumAlgorithms,
  Digests,
  type Algorithm,
  type Expected,
} from './checksum.ts';
import { incompleteBody, invalidRequest } from './errors.ts';

/**
 * The body of a request with `Content-Encoding: aws-chunked`, as SDKs send streams: chunks behind their sizes and, at the end,
 * the checksum that could not be known at the beginning. Throws where the checksum does not fit.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */
export async function* unchunked(
  source: AsyncIterable<Uint8Array>,
  trailerNames: readonly string[],
): AsyncIterable<Uint8Array> {
  const algorithms = checksumAlgorithms.filter((name) =>
    trailerNames.includes(`x-amz-checksum-${name.toLowerCase()}`),
  );
  if (algorithms.length !== trailerNames.length) {
    throw invalidRequest('The value specified in the x-amz-trailer header is not supported');
  }
  const digests = new Digests(algorithms);
  const reader = new Reader(source);
  for (;;) {
    const line = await reader.line();
    const size = /^([0-9a-fA-F]+)(;.*)?$/.exec(line)?.[1];
    if (size === undefined) throw incompleteBody();
    let left = Number.parseInt(size, 16);
    if (left === 0) break;
    while (left > 0) {
      const bytes = await reader.some(left);
      left -= bytes.length;
      digests.update(bytes);
      yield bytes;
    }
    if ((await reader.line()) !== '') throw incompleteBody();
  }
  const expected = await trailers(reader, algorithms);
  checkForm(expected);
  checkDigests(expected, digests.finish());
}

async function trailers(reader: Reader, algorithms: readonly Algorithm[]): Promise<Expected> {
  const expected: Expected = {};
  for (let line = await reader.line(); line !== ''; line = await reader.line()) {
    const [name = '', value = ''] = line.split(/:(.*)/s);
    const algorithm = algorithms.find(
      (known) => name.trim().toLowerCase() === `x-amz-checksum-${known.toLowerCase()}`,
    );
    if (algorithm) expected[algorithm] = value.trim();
  }
  if (algorithms.some((algorithm) => expected[algorithm] === undefined)) {
    throw incompleteBody();
  }
  return expected;
}

/** Longer lines are no chunk headers and no trailers. */
const MAX_LINE_BYTES = 8192;

class Reader {
  private readonly source: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.rest.indexOf(0x0a);
      if (end >= 0) {
        const line = Buffer.from(this.rest.subarray(0, end)).toString('latin1');
        this.rest = this.rest.subarray(end + 1);
        return line.replace(/\r$/, '');
      }
      if (this.rest.length > MAX_LINE_BYTES || !(await this.more())) throw incompleteBody();
    }
  }

  /** At least one byte, at most `limit`. */
  async some(limit: number): Promise<Uint8Array> {
    if (this.rest.length === 0 && !(await this.more())) throw incompleteBody();
    const bytes = this.rest.subarray(0, limit);
    this.rest = this.rest.subarray(bytes.length);
    return bytes;
  }

  private async more(): Promise<boolean> {
    const next = await this.source.next();
    if (next.done) return false;
    this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
    return true;
  }
}
