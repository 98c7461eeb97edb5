import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type Api, createApi } from '../../../../../bin/tributary/session/api.ts';
import { CommandFailure } from '../../../../../bin/tributary/failures.ts';

afterEach(() => {
  vi.useRealTimers();
});

const BASE = 'https://service.test/v1';
const Item = z.looseObject({ id: z.string() });

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const page = (status: number, headers: Record<string, string> = {}) =>
  new Response('<p>hello</p>', { status, headers: { 'content-type': 'text/html', ...headers } });
const building = () => json(503, { error: 'Building.', code: 'still_building' }, { 'retry-after': '0' });

/** A service that gives these responses in turn. */
function scripted(responses: readonly (Response | Error)[], base = BASE) {
  const requests: Request[] = [];
  const notes: string[] = [];
  const api = createApi({
    base,
    key: 'k',
    fetch(request) {
      requests.push(request);
      const response = responses[requests.length - 1] ?? new Error('one request too many');
      return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
    },
    debug: () => undefined,
    note: (sentence) => notes.push(sentence),
  });
  return { api, requests, notes };
}

async function failureOf(sent: Promise<unknown>): Promise<CommandFailure> {
  const error = await sent.then(
    () => 'no failure',
    (thrown: unknown) => thrown,
  );
  return error instanceof CommandFailure ? error : expect.fail(String(error));
}

const get = (api: Api) => api.get('/users/me', Item);

describe('a build that takes long', () => {
  test('is waited for, and said once', async () => {
    const { api, requests, notes } = scripted([building(), building(), json(200, { data: { id: 'sc_1' } })]);
    expect(await api.send('POST', '/components', Item, { body: { component_code: 'x' } })).toEqual({
      id: 'sc_1',
    });
    expect(notes).toEqual(['This changes service.test.', 'The service is still building the component; waiting.']);
    expect(await requests[2]?.text()).toBe('{"component_code":"x"}');
  });

  test('fails after five repetitions', async () => {
    const { api, requests } = scripted(Array.from({ length: 6 }, building));
    expect(await failureOf(get(api))).toMatchObject({ exitCode: 1, report: { code: 'still_building' } });
    expect(requests).toHaveLength(6);
  });
});

describe('a failure ends the command at the first attempt', () => {
  test.each([
    ['a refusal', json(404, { error: 'There is no dc_1.', code: 'not_found' }), 1, 'not_found'],
    ['a quota', json(429, { error: 'Used up.', code: 'quota_exceeded' }), 1, 'quota_exceeded'],
    ['a defect', json(503, { error: 'Later.', code: 'unavailable' }), 1, 'unavailable'],
    ["the gateway's own response", json(503, { message: 'Service Unavailable' }), 1, 'http_503'],
    ['a page', page(200), 3, 'not_tributary'],
    ['the error page of a proxy', page(502), 3, 'not_tributary'],
    ['a redirect', page(302, { location: 'https://other.test' }), 3, 'not_tributary'],
    ['JSON of another program', json(200, { id: 'x' }), 3, 'not_tributary'],
    [
      'text that is not JSON',
      new Response('{', { headers: { 'content-type': 'application/json' } }),
      3,
      'not_tributary',
    ],
  ])('%s', async (_, response, exitCode, code) => {
    const { api, requests } = scripted([response]);
    expect(await failureOf(get(api))).toMatchObject({ exitCode, report: { code } });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.redirect).toBe('manual');
  });

  test('and --json prints the error object of the API', async () => {
    const error = {
      error: 'limit is wrong.',
      code: 'invalid_request',
      details: [{ path: 'limit', message: 'x' }],
      request_id: 'r-1',
    };
    const { api } = scripted([json(400, error, { 'x-request-id': 'r-1' })]);
    expect((await failureOf(get(api))).report).toEqual(error);
  });

  test('no connection, with its reason', async () => {
    const cause = new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:9')]);
    const { api, requests } = scripted([new TypeError('fetch failed', { cause })]);
    expect(await failureOf(get(api))).toMatchObject({
      exitCode: 3,
      message:
        'No connection to https://service.test: connect ECONNREFUSED 127.0.0.1:9. Check the address, and that the service runs.',
    });
    expect(requests).toHaveLength(1);
  });

  test('no response within 30 s', async () => {
    vi.useFakeTimers();
    const api = createApi({
      base: BASE,
      key: 'k',
      fetch: () => new Promise(() => undefined),
      debug: () => undefined,
      note: () => undefined,
    });
    let failure: CommandFailure | undefined;
    void failureOf(get(api)).then((found) => (failure = found));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(failure).toMatchObject({
      exitCode: 3,
      message: 'https://service.test did not answer within 30 s.',
      report: { code: 'no_answer' },
    });
  });
});

describe('a change', () => {
  test('at another host names it once', async () => {
    const { api, notes } = scripted([
      json(200, { data: { id: 'a' } }),
      json(200, { data: { id: 'a' } }),
      new Response(null, { status: 204 }),
    ]);
    await api.send('POST', '/components/configure', Item);
    expect(notes).toEqual([]);
    await api.send('PUT', '/sources/dc_1', Item);
    await api.delete('/sources/dc_1');
    expect(notes).toEqual(['This changes service.test.']);
  });

  test('at this machine does not', async () => {
    const { api, notes } = scripted([new Response(null, { status: 204 })], 'http://127.0.0.1:1/v1');
    await api.delete('/sources/dc_1');
    expect(notes).toEqual([]);
  });

  test('prints its warnings', async () => {
    const { api, notes } = scripted([json(200, { data: { id: 'a' }, warnings: ['Old.'] })]);
    await api.send('POST', '/sources', Item);
    expect(notes.at(-1)).toBe('Warning: Old.');
  });
});

test('a list is read only as far as it is asked for', async () => {
  const of = (ids: string[], end_cursor: string | null) =>
    json(200, { data: ids.map((id) => ({ id })), page_info: { end_cursor } });
  const { api, requests } = scripted([of(['a', 'b'], 'x'), of(['c'], 'y')]);
  expect(await api.list('/users/me/sources', Item, { query: { q: 'a b' }, limit: 3 })).toHaveLength(3);
  expect(requests.map(({ url }) => url)).toEqual([
    `${BASE}/users/me/sources?limit=3&q=a%20b`,
    `${BASE}/users/me/sources?limit=3&q=a%20b&after=x`,
  ]);
});

test('the health of a service is what it says of itself, and no more', async () => {
  const reason = 'The service is paused: it delivers nothing, runs nothing and fires no timer.';
  const { api, requests } = scripted([
    json(503, { status: 'unavailable', reason }),
    json(200, { status: 'ok' }),
    page(503),
    json(404, { error: 'There is no such path.', code: 'not_found' }),
    new Error('connect ECONNREFUSED'),
  ]);
  expect(await api.healthProblem()).toBe(reason);
  for (let n = 0; n < 4; n += 1) expect(await api.healthProblem()).toBeUndefined();
  expect(requests.map(({ url }) => url)).toEqual(Array.from({ length: 5 }, () => 'https://service.test/healthz'));
  expect(requests[0]?.headers.has('authorization')).toBe(false);
});
