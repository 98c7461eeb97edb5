import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { responseBody } from '../../../../../infra/embedded/s3/body.ts';
import { aWorld, bodyOf, BUCKET, ROLE } from '../../../contract/s3/paths.ts';

test('a change of the bytes of a response does not affect the stored object', async () => {
  const { service } = await aWorld();
  await service.call('PutObject', { Bucket: BUCKET, Key: 'k', Body: 'before' }, ROLE);
  const read = async () => bodyOf(await service.call('GetObject', { Bucket: BUCKET, Key: 'k' }, ROLE));
  (await (await read()).transformToByteArray()).fill(0);
  await expect((await read()).transformToString()).resolves.toBe('before');
});

test('the body of a response is transformed once', async () => {
  const body = responseBody(Readable.from([Buffer.from('a'), Buffer.from('b')]));
  await expect(body.transformToString('hex')).resolves.toBe('6162');
  await expect(body.transformToByteArray()).rejects.toThrow('The stream has already been transformed.');
});

test('the body of a response is a stream', async () => {
  await expect(text(responseBody(Readable.from([Buffer.from('a')])))).resolves.toBe('a');
});
