import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ApiResult } from '../exchange.ts';

/** Bytes that many clients get. All forms are made once. */
export interface StaticFile {
  readonly contentType: string;
  /** Weak, because all encodings share it. */
  readonly etag: string;
  /** Base64 of the content as it is. */
  readonly content: string;
  /** Base64 by encoding, the best one first. */
  readonly encoded: ReadonlyMap<string, string>;
}

export const etagOf = (content: string | Buffer): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** A file with a compressed form for each common encoding. */
export function compressedFile(contentType: string, text: string): StaticFile {
  const bytes = Buffer.from(text);
  // The highest quality takes a second of the thread and saves a tenth.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return {
    contentType,
    etag: etagOf(bytes),
    content: bytes.toString('base64'),
    encoded: new Map([
      ['br', brotliCompressSync(bytes, { params }).toString('base64')],
      ['gzip', gzipSync(bytes).toString('base64')],
    ]),
  };
}

interface FileRequest {
  /** A header, by its name in lower case. */
  header(name: string): string | undefined;
  readonly cacheControl: string;
  readonly status?: number;
}

/** The file in the best encoding that the client takes, or 304 if the client has it. */
export function fileResponse(
  { contentType, etag, content, encoded }: StaticFile,
  { header, cacheControl, status = 200 }: FileRequest,
): ApiResult {
  const common = { etag, 'cache-control': cacheControl, vary: 'accept-encoding' };
  if (status === 200 && hasMatch(header('if-none-match'), etag)) return { statusCode: 304, headers: common };
  const accepted = acceptedEncodings(header('accept-encoding'));
  const [encoding, body = content] = [...encoded].find(([name]) => accepted.has(name)) ?? [];
  return {
    statusCode: status,
    headers: {
      ...common,
      'content-type': contentType,
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body,
    isBase64Encoded: true,
  };
}

/** Whether a list of tags, weak or not, has this one. */
const hasMatch = (list: string | undefined, etag: string): boolean =>
  list !== undefined &&
  list.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^(?:W\/)?/, 'W/') === etag);

/** The names in `gzip, br;q=0.5, zstd;q=0` that have no `q=0`. */
const acceptedEncodings = (header = ''): ReadonlySet<string> =>
  new Set(
    header
      .toLowerCase()
      .split(',')
      .map((entry) => entry.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || !/^q=0(?:\.0*)?$/.test(weight))
      .map(([name = '']) => name),
  );
