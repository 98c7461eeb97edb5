import { constants, createBrotliDecompress, createInflate, createUnzip } from 'node:zlib';
import type { Transform } from 'node:stream';

/** The body may be cut, so its end is no error. */
const cut = { finishFlush: constants.Z_SYNC_FLUSH };

const decoders: ReadonlyMap<string, (chunkSize: number) => Transform> = new Map([
  ['gzip', (chunkSize) => createUnzip({ ...cut, chunkSize })],
  ['x-gzip', (chunkSize) => createUnzip({ ...cut, chunkSize })],
  ['deflate', (chunkSize) => createInflate({ ...cut, chunkSize })],
  ['br', (chunkSize) => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize })],
]);

/**
 * The first bytes of a body that may be compressed. A decoder stops when they are there, so a small body that expands
 * to gigabytes costs no more. A body in an unknown or broken encoding stays as it was sent.
 */
export async function decodedStart(body: Buffer, encoding: string | undefined, bytes: number): Promise<Buffer> {
  const decoder = decoders.get(encoding?.trim().toLowerCase() ?? '')?.(bytes);
  if (!decoder) return body.subarray(0, bytes);
  const pieces: Buffer[] = [];
  let length = 0;
  decoder.end(body);
  try {
    for await (const piece of decoder) {
      if (!Buffer.isBuffer(piece)) continue;
      pieces.push(piece);
      length += piece.length;
      if (length >= bytes) break;
    }
  } catch {
    if (length === 0) return body.subarray(0, bytes);
  }
  return Buffer.concat(pieces).subarray(0, bytes);
}
