import type { Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import type { ApiEvent, ApiResult } from '../../../../shared/http/exchange.ts';
import { gatheredHandler } from '../../../../shared/http/streamed-handler.ts';
import { CLIENT } from '../../../../shared/lib/reading/client-connection.ts';
import type { LiveStream } from '../../../../shared/service/live/open-live-stream.ts';
import { MAX_RESPONSE_BYTES } from '../../../../infra/embedded/lambda/payload.ts';

const headers = { 'content-type': 'text/event-stream' };
const event = { rawPath: '/sources/dc_1/sse' } as ApiEvent;

const gathered = (result: ApiResult, context: object = {}, paths: string[] = []) =>
  gatheredHandler(({ rawPath }) => {
    paths.push(rawPath);
    return Promise.resolve(result);
  })(event, context as Context);

const pollOf = (stream: LiveStream, context: object = {}) => gathered({ statusCode: 200, headers, stream }, context);

const textOf = ({ body = '', isBase64Encoded }: ApiResult) =>
  Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8').toString();

const message = (id: number, length: number) => `id: ${id}\ndata: ${'"'.repeat(length)}\n\n`;

test('a poll has the messages of its stream, with status and headers', async () => {
  const response = await pollOf(async (output) => {
    output.begin();
    output.send('retry: 250\n\n');
    await output.sendPaced(Buffer.from(message(1, 3)));
    output.end();
  });
  expect(response).toMatchObject({ statusCode: 200, headers });
  expect(textOf(response)).toBe(`retry: 250\n\n${message(1, 3)}`);
});

test('a poll ends after whole messages, and before Lambda refuses its response', async () => {
  let sent = 0;
  const response = await pollOf(async (output) => {
    for (; output.isOpen && sent < 20; sent += 1) await output.sendPaced(Buffer.from(message(sent, 1024 * 1024)));
  });
  const ids = [...textOf(response).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual([0, 1, 2, 3]);
  expect(sent).toBe(5);
  expect(textOf(response).endsWith('"\n\n')).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThanOrEqual(MAX_RESPONSE_BYTES);
});

test('a poll ends when its client is gone', async () => {
  let leave: () => void = () => undefined;
  const client = { isOpen: true, whenOver: (callback: () => void) => (leave = callback) };
  await pollOf(
    async (output) => {
      leave();
      await output.closed;
      expect(output.isOpen).toBe(false);
    },
    { [CLIENT]: client },
  );
});

test('a refusal is passed on, and a path without /v1 is one of the API', async () => {
  const refusal = { statusCode: 401, headers: {}, body: '{}' };
  const paths: string[] = [];
  expect(await gathered(refusal, {}, paths)).toEqual(refusal);
  expect(paths).toEqual(['/v1/sources/dc_1/sse']);
});
