import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { listenLine } from '../../../../functions/console/app/events/sending/listen-line.ts';
import { signedCurl } from '../../../../functions/console/app/events/sending/signed-curl.ts';
import { Receiver } from '../../../support/receiver.ts';

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

test('the copied commands post an event as it was sent, with a signature that verifies', async () => {
  const receiver = await Receiver.start();
  onTestFinished(() => receiver.stop());
  const json = `{"text":"it's $HOME \`id\` \\n %s !!","big":12345678901234567890,"long":"${'x'.repeat(200_000)}"}`;
  const commands = signedCurl(
    { json, emitId: "emit'1", emitterId: 'dc_1', eventId: '1-2', stream: 'a b' },
    receiver.url,
  );
  expect(commands).toContain("secret='whsec_…'");
  const shell = spawn('sh', { stdio: ['pipe', 'ignore', 'inherit'] });
  shell.stdin.end(commands.replace('whsec_…', SECRET));
  expect((await once(shell, 'exit'))[0]).toBe(0);
  const [request] = receiver.received;
  expect(request?.body).toBe(json);
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': "emit'1",
    'x-tributary-emitter': 'dc_1',
    'x-tributary-event-id': '1-2',
    'x-tributary-event-name': 'a%20b',
  });
  const headers = Object.fromEntries(
    Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  new Webhook(SECRET).verify(json, headers);
});

test('the listen line names the stream, unless it is the default stream', () => {
  const line = 'tributary listen dc_1 --forward http://localhost:8080/hook';
  expect(listenLine('dc_1', '')).toBe(line);
  expect(listenLine('dc_1', '$errors')).toBe(`${line} --stream '$errors'`);
});
