import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { unchunked } from '../../../../../infra/embedded/s3/aws-chunked.ts';

const CRC32 = 'x-amz-checksum-crc32';
const HELLO = 'NhCmhg==';

/** Cut into pieces of so many bytes, as a network may deliver them. */
const read = (body: string, { names = [CRC32], piece = 3 } = {}) => {
  const pieces = body.match(new RegExp(`[^]{1,${piece}}`, 'g')) ?? [];
  return text(Readable.from(unchunked(Readable.from(pieces.map((part) => Buffer.from(part))), names)));
};

describe('a body in chunks', () => {
  test.each([1, 2, 3, 1000])('is put together, however it arrives (%d bytes at a time)', async (piece) => {
    const body = `2\r\nhe\r\n3;chunk-signature=x\r\nllo\r\n0\r\n${CRC32}:${HELLO}\r\n\r\n`;
    await expect(read(body, { piece })).resolves.toBe('hello');
  });

  test('may have no trailer', async () => {
    await expect(read('5\r\nhello\r\n0\r\n\r\n', { names: [] })).resolves.toBe('hello');
  });

  test('is refused when its trailer says something else', async () => {
    await expect(read(`5\r\nhellO\r\n0\r\n${CRC32}:${HELLO}\r\n\r\n`)).rejects.toMatchObject({
      name: 'BadDigest',
    });
  });

  test.each([
    ['the announced trailer is missing', '5\r\nhello\r\n0\r\n\r\n'],
    ['it ends within a chunk', '5\r\nhel'],
    ['it ends before the last chunk', '5\r\nhello\r\n'],
    ['it ends before its trailer', `5\r\nhello\r\n0\r\n${CRC32}`],
    ['a chunk is longer than it says', `4\r\nhello\r\n0\r\n${CRC32}:${HELLO}\r\n\r\n`],
    ['a size is no number', 'five\r\nhello\r\n0\r\n\r\n'],
    ['a line has no end', '5'.repeat(10_000)],
  ])('is refused when %s', async (_what, body) => {
    await expect(read(body, { piece: 1000 })).rejects.toMatchObject({ name: 'IncompleteBody' });
  });

  test('is refused when its trailer is not understood', async () => {
    await expect(read('0\r\n\r\n', { names: ['x-amz-checksum-crc64nvme'] })).rejects.toMatchObject({
      name: 'InvalidRequest',
    });
  });
});
