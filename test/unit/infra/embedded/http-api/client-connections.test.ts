import { expect, test } from 'vitest';
import type { Invocation } from '../../../../../infra/embedded/lambda/invocation.ts';
import type { Outcome } from '../../../../../infra/embedded/lambda/outcome.ts';
import { ResponseStream } from '../../../../../infra/embedded/lambda/response-stream.ts';
import { isGone } from '../../../../../shared/lib/reading/client-connection.ts';
import { until } from '../../../../support/until.ts';
import { openEcho, sender } from './echo-gateway.ts';

const GET = 'GET /x HTTP/1.1\r\nHost: h\r\n\r\n';

/** A function that streams, and what it knows of its client. It sends the head of its response when it is told to. */
function streamingFunction() {
  const invocations: Invocation[] = [];
  const responses: ResponseStream[] = [];
  const stream = (invocation: Invocation): Promise<Outcome> => {
    const response = new ResponseStream(invocation.piece ?? (() => undefined));
    invocations.push(invocation);
    responses.push(response);
    invocation.onOpen?.(response);
    return new Promise((resolve) => {
      const end = () => {
        resolve({ ok: true, value: undefined });
      };
      response.once('close', end).once('finish', end);
    });
  };
  return { stream, invocations, responses };
}

test('a function sees that its client hung up before the response began, and its stream ends', async () => {
  const { stream, invocations, responses } = streamingFunction();
  const { port } = await openEcho({ stream });
  const client = sender(port, GET);
  const invocation = await until('the function runs', () => invocations[0]);
  expect(await isGone(invocation.client)).toBe(false);
  let calls = 0;
  invocation.client?.whenOver(() => (calls += 1));
  const forget = invocation.client?.whenOver(() => expect.fail('this callback was removed'));
  forget?.();
  client.socket.destroy();
  await until('the stream has ended', () => responses[0]?.destroyed);
  expect([calls, invocation.client?.isOpen]).toEqual([1, false]);
});

test('a client that closes its connection with its request is gone before work for it begins', async () => {
  let gone: Promise<boolean> | undefined;
  const { stream } = streamingFunction();
  const { port } = await openEcho({
    stream: (invocation) => {
      gone = isGone(invocation.client);
      return stream(invocation);
    },
  });
  sender(port, GET).socket.end();
  expect(await until('the function runs', () => gone)).toBe(true);
});

test('a stream that begins while the service stops ends at once', async () => {
  const { stream, responses } = streamingFunction();
  const { gateway, port } = await openEcho({ stream });
  const client = sender(port, GET);
  const response = await until('the function runs', () => responses[0]);
  const stopped = gateway.stop(60_000);
  response.setContentType('text/event-stream');
  response.write('data: 1\n\n');
  await stopped;
  await until('the response has ended', () => client.isClosed());
  expect(client.heard()).toMatch(/^HTTP\/1\.1 200[^]*0\r\n\r\n$/);
});

test('streams that wait for each other on one connection count until it closes', async () => {
  const { stream, responses } = streamingFunction();
  const { gateway, port } = await openEcho({ stream });
  const client = sender(port, GET + GET);
  await until('both functions run', () => responses.length === 2);
  for (const response of responses) response.write('data: 1\n\n');
  await until('both responses have begun', () => gateway.streamCount === 2);
  client.socket.destroy();
  await until('no stream is left', () => gateway.streamCount === 0);
});
