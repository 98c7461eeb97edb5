import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyPastedRequest } from '../../../../../bin/tributary/commands/verify-request.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const at = new Date('2026-11-22T12:00:00Z');
const body = '{"n": 1,\n"m": "\\n"}';
const signature = new Webhook(secret).sign('msg_1', at, body);
const request = (text = body, lineEnd = '\n') =>
  [
    'POST /hook HTTP/1.1',
    'Webhook-Id: msg_1',
    `webhook-timestamp: ${at.getTime() / 1000}`,
    `webhook-signature: v1,AAAA ${signature}`,
    '',
    text,
  ].join(lineEnd);

test.each([
  ['as it was sent', request()],
  ['with the line break of pasting', `${request()}\n`],
  ['with the line ends of HTTP', request(body, '\r\n')],
])('a signed request %s is right', async (_, text) => {
  expect(await verifyPastedRequest(text, secret, at.getTime())).toMatchObject({ id: 'msg_1', ageSeconds: 0 });
});

test('a changed body, another secret and missing headers are wrong', async () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  for (const [text, by] of [
    [request('{"n":1}'), secret],
    [request(), other],
    [body, secret],
  ] as const)
    expect(await verifyPastedRequest(text, by, at.getTime())).toHaveProperty('problem');
});

test('an old request is right, and says that receivers would refuse it', async () => {
  const checked = await verifyPastedRequest(request(), secret, at.getTime() + 3_600_000);
  expect(checked).toMatchObject({
    ageSeconds: 3_600,
    sentence: expect.stringContaining('3600 s old') as string,
  });
});
