import { expect, test } from 'vitest';
import { createTributary } from '../../../../shared/client/create-tributary.ts';

/** A client of a service whose every response is this text. */
const clientOf = (text: string) =>
  createTributary({
    url: 'http://service.test/v1/',
    key: 'k',
    fetch: () => Promise.resolve(new Response(text, { headers: { 'content-type': 'application/json' } })),
  });

test('getText gives a response as the service wrote it', async () => {
  const text = '{"data":{"b":1.0,"2":1e400,"1":12345678901234567890}}';
  expect(await clientOf(text).getText('/v1/users/me')).toBe(text);
});

test.each(['{', '<p>', '{"data":'])('%s of another program is no response of Tributary', async (text) => {
  await expect(clientOf(text).get('/v1/users/me')).rejects.toMatchObject({ code: 'not_tributary' });
});

test.each(['{}', '[]', '{"data":{}}'])('%s is no list', async (text) => {
  await expect(clientOf(text).items('/v1/users/me/sources').next()).rejects.toMatchObject({
    code: 'not_tributary',
  });
});
