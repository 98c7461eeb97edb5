import { describe, expect, test } from 'vitest';
import { createSend, type SendOptions } from '../../../../shared/client/send.ts';
import { kindOfStatus, TributaryError } from '../../../../shared/client/tributary-error.ts';
import { errorCodes, ServiceError } from '../../../../shared/domain/errors.ts';
import { problemResponse } from '../../../../shared/http/problem.ts';

type FetchResult = Response | Error;

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const busy = (headers: Record<string, string> = {}) => json(503, { error: 'Busy.', code: 'unavailable' }, headers);
const done = () => json(200, { data: 1 });

/** A service that gives these responses one after the other, and a client that notes its waits instead of waiting. */
function scripted(responses: readonly FetchResult[], options: Partial<SendOptions> = {}) {
  const bodies: string[] = [];
  const waits: number[] = [];
  const send = createSend(
    {
      async fetch(request) {
        bodies.push(await request.text());
        const response = responses[bodies.length - 1] ?? expect.fail('one request too many');
        if (response instanceof Error) throw response;
        return response;
      },
      ...options,
    },
    {
      wait: (ms) => Promise.resolve(void waits.push(ms)),
      now: () => 0,
      random: () => 1,
    },
  );
  return { send, bodies, waits };
}

const requestOf = (method: string, init: RequestInit = {}) =>
  new Request('http://service.test/v1/sources', {
    method,
    ...(method === 'POST' || method === 'PUT' ? { body: '{"a":1}' } : {}),
    ...init,
  });

async function errorOf(sent: Promise<unknown>): Promise<TributaryError> {
  const error = await sent.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  );
  return error instanceof TributaryError ? error : expect.fail(String(error));
}

describe('repetitions', () => {
  test('a request is repeated with its body, after the time that the service asks for', async () => {
    const { send, bodies, waits } = scripted([busy({ 'retry-after': '3' }), new TypeError('reset'), done()]);
    expect((await send(requestOf('PUT'))).status).toBe(200);
    expect(bodies).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    expect(waits).toEqual([3_000, 500]);
  });

  test('a POST without a response is sent once', async () => {
    const { send, bodies } = scripted([new TypeError('reset')]);
    expect(await errorOf(send(requestOf('POST')))).toMatchObject({
      kind: 'unreachable',
      code: 'no_connection',
    });
    expect(bodies).toHaveLength(1);
  });

  test('a DELETE whose response was lost succeeds when the repeated one finds nothing', async () => {
    const gone = () => json(404, { error: 'There is no dc_1.', code: 'not_found' });
    const lost = scripted([new TypeError('reset'), gone()]);
    expect((await lost.send(requestOf('DELETE'))).status).toBe(204);
    const first = scripted([gone()]);
    expect(await errorOf(first.send(requestOf('DELETE')))).toMatchObject({ code: 'not_found' });
    const refused = scripted([json(429, { message: 'Too Many Requests' }), gone()]);
    expect(await errorOf(refused.send(requestOf('DELETE')))).toMatchObject({ code: 'not_found' });
  });

  test('the last error is thrown when every attempt failed', async () => {
    const { send, waits } = scripted(Array.from({ length: 5 }, () => busy()));
    expect(await errorOf(send(requestOf('GET')))).toMatchObject({ kind: 'unavailable', status: 503 });
    expect(waits).toEqual([250, 500, 1_000, 2_000]);
  });

  test('an aborted request is not repeated, and rejects with the reason', async () => {
    const stop = new AbortController();
    const { send, bodies } = scripted([new TypeError('reset')], {
      fetch: () => {
        stop.abort(new Error('the caller left'));
        bodies.push('');
        return Promise.reject(new TypeError('reset'));
      },
    });
    await expect(send(requestOf('GET', { signal: stop.signal }))).rejects.toThrow('the caller left');
    expect(bodies).toHaveLength(1);
  });

  test('beforeRetry sees every failed attempt, and ends the request by throwing', async () => {
    const seen: unknown[] = [];
    const { send, bodies } = scripted([busy(), new TypeError('reset'), done()], {
      beforeRetry({ error, attempts }) {
        seen.push([error.code, attempts]);
        if (error.code === 'no_connection') throw error;
      },
    });
    expect(await errorOf(send(requestOf('GET')))).toMatchObject({
      message: 'No connection to http://service.test: reset.',
    });
    expect(seen).toEqual([
      ['unavailable', 1],
      ['no_connection', 2],
    ]);
    expect(bodies).toHaveLength(2);
  });

  test('an attempt without a response ends at its time limit', async () => {
    const { send } = scripted([], {
      timeoutMs: 10,
      retries: 0,
      fetch: (request) =>
        new Promise((_, reject) => {
          request.signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        }),
    });
    expect(await errorOf(send(requestOf('GET')))).toMatchObject({ kind: 'unreachable', code: 'no_answer' });
  });
});

describe('errors', () => {
  test('have kind, code, field, details, request id and the time to wait', async () => {
    const details = [{ path: 'limit', message: 'must be an integer from 1 to 100' }];
    const body = { error: 'limit must be an integer from 1 to 100.', code: 'invalid_request', details };
    const { send } = scripted([json(400, body, { 'x-request-id': 'r-1' })]);
    const error = await errorOf(send(requestOf('GET')));
    expect(error).toMatchObject({
      message: body.error,
      kind: 'invalid',
      code: 'invalid_request',
      status: 400,
      field: 'limit',
      details,
      requestId: 'r-1',
    });
    const quota = { error: 'Used up.', code: 'quota_exceeded' };
    const late = scripted([json(429, quota, { 'retry-after': '3600' })]);
    expect(await errorOf(late.send(requestOf('POST')))).toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 3_600_000,
    });
  });

  test('have the kind that the service has', () => {
    // Only endpoints of sources answer 504.
    for (const code of errorCodes.filter((each) => each !== 'no_response')) {
      const problem = new ServiceError(code, '');
      const { statusCode } = problemResponse(problem, 'r-1');
      expect(kindOfStatus(statusCode ?? 0), `status ${statusCode}`).toBe(problem.kind);
    }
  });

  test("of the gateway have its status in the code, as the service's own shape is missing", async () => {
    const { send } = scripted([json(413, { message: 'Request Entity Too Large' })]);
    expect(await errorOf(send(requestOf('GET')))).toMatchObject({ kind: 'too_large', code: 'http_413' });
  });

  test('of a page before the service have its status, and say that the service was not reached', async () => {
    const { send } = scripted([new Response('<p>no</p>', { status: 502 })], { retries: 0 });
    expect(await errorOf(send(requestOf('GET')))).toMatchObject({ kind: 'unreachable', code: 'http_502' });
  });

  test.each([
    ['a page', new Response('<p>hello</p>', { headers: { 'content-type': 'text/html' } })],
    ['a redirect', new Response(null, { status: 302, headers: { location: 'http://other.test' } })],
    ['an error page', new Response('<p>no</p>', { status: 404, headers: { 'content-type': 'text/html' } })],
  ])('say when %s is no response of a Tributary service', async (_, response) => {
    const { send } = scripted([response]);
    expect(await errorOf(send(requestOf('POST')))).toMatchObject({
      kind: 'unreachable',
      code: 'not_tributary',
    });
  });
});
