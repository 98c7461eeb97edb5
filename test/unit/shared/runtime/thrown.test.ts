import { describe, expect, test } from 'vitest';
import { runErrorOf } from '../../../../shared/runtime/thrown.ts';

test.each([
  ['status', { status: 401 }, 401],
  ['statusCode', { statusCode: 404 }, 404],
  ['response.status, as axios has it', { response: { status: 503 } }, 503],
  ['no status', {}, undefined],
  ['a status that is none of HTTP', { status: 4_010 }, undefined],
  ['a status that is a text', { status: '401' }, undefined],
  ['a status outside and one of HTTP in its response', { status: 0, response: { status: 401 } }, 401],
])('an error with %s', (_, members, status) => {
  expect(runErrorOf(Object.assign(new Error('x'), members)).status).toBe(status);
});

describe('the message of an error', () => {
  const failed = (message: string, members: object = {}) => Object.assign(new Error(message), members);

  test('names its causes', () => {
    const cause = new Error('getaddrinfo ENOTFOUND no-such.invalid');
    const { message, stack } = runErrorOf(new TypeError('fetch failed', { cause }));
    expect(message).toBe('fetch failed: getaddrinfo ENOTFOUND no-such.invalid');
    expect(stack.split('\n')[0]).toBe(`TypeError: ${message}`);
  });

  test('names the errors of an AggregateError, each once', () => {
    const errors = [new Error('connect ECONNREFUSED ::1:9'), new Error('connect ECONNREFUSED 127.0.0.1:9')];
    const cause = new AggregateError([...errors, errors[0]], '');
    expect(runErrorOf(new TypeError('fetch failed', { cause })).message).toBe(
      'fetch failed: connect ECONNREFUSED ::1:9; connect ECONNREFUSED 127.0.0.1:9',
    );
    expect(runErrorOf(cause).message).toBe('connect ECONNREFUSED ::1:9; connect ECONNREFUSED 127.0.0.1:9');
  });

  test('does not repeat a cause that it quotes, and takes the code of a cause without a message', () => {
    expect(runErrorOf(failed('a: b', { cause: new Error('b') })).message).toBe('a: b');
    expect(runErrorOf(failed('a', { cause: { code: 'EPIPE' } })).message).toBe('a: EPIPE');
    expect(runErrorOf(failed('a', { cause: 'text' })).message).toBe('a: text');
    expect(runErrorOf(failed('')).message).toBe('Error');
  });

  test.each([
    ['axios', { config: { method: 'post', url: 'https://api.test/items' } }, 'POST https://api.test/items'],
    [
      'axios with a base address',
      { config: { method: 'get', url: '/items', baseURL: 'https://api.test/v1/' } },
      'GET https://api.test/v1/items',
    ],
    ['got', { options: { method: 'PUT', url: new URL('https://api.test/items/1') } }, 'PUT https://api.test/items/1'],
    ['octokit', { request: { method: 'GET', url: 'https://api.test/repos' } }, 'GET https://api.test/repos'],
    ['request', { options: { uri: 'https://api.test/a' } }, 'GET https://api.test/a'],
    [
      'a client that was given a query, a user and a fragment',
      { config: { method: 'get', url: 'https://me:secret@api.test/a?api_key=secret#secret' } },
      'GET https://api.test/a?…',
    ],
  ])('of %s names method and address', (_, members, request) => {
    expect(runErrorOf(failed('status 404', members)).message).toBe(`status 404 (${request})`);
  });

  test('of an HTTP client names no address that it quotes already, or that is none', () => {
    const quoted = failed('GET https://api.test/a failed', { config: { url: 'https://api.test/a' } });
    expect(runErrorOf(quoted).message).toBe('GET https://api.test/a failed');
    for (const url of ['items', 'ftp://api.test/a', 5, 'https://']) {
      expect(runErrorOf(failed('x', { config: { url } })).message).toBe('x');
    }
    expect(runErrorOf(failed('x', { config: { method: 'a b', url: 'https://api.test' } })).message).toBe('x');
  });

  test('is redacted in every part', () => {
    const redact = (text: string) => text.replaceAll('hunter2', '[hidden]');
    const thrown = failed('own hunter2', {
      cause: new Error('cause hunter2'),
      config: { method: 'get', url: 'https://api.test/hunter2/x' },
    });
    const { message, stack } = runErrorOf(thrown, redact);
    expect(message).toBe('own [hidden]: cause [hidden] (GET https://api.test/[hidden]/x)');
    expect(stack).not.toContain('hunter2');
  });
});

describe('an error whose parts have no limit', () => {
  const LONGEST = { message: 4096, stack: 16_384 };
  const loop = new Error('loop');
  loop.cause = loop;
  const endless = (): Error => Object.defineProperty(new Error('again'.repeat(1000)), 'cause', { get: endless });
  const throwing = Object.defineProperties(new Error('readable'), {
    cause: { get: () => expect.fail() },
    config: { get: () => expect.fail() },
    response: { get: () => expect.fail() },
    code: { get: () => expect.fail() },
  });
  const many = new AggregateError(
    Array.from({ length: 10_000 }, (_, n) => new Error(`${n}`)),
    'x'.repeat(1e6),
  );
  const odd = Object.assign(new Error('odd'), { stack: `${'\n    at f (a.mjs:1)'.repeat(1e5)}` });

  test.each([
    ['causes that loop', loop, 'loop'],
    ['causes without end', endless(), 'again'],
    ['getters that throw', throwing, 'readable'],
    ['many long parts', many, 'xxx'],
    ['a huge stack', odd, 'odd'],
    ['a huge address', Object.assign(new Error('a'), { config: { url: `https://a.test/${'b'.repeat(1e5)}` } }), 'a'],
  ])('with %s is bounded, and keeps its message', (_, thrown, start) => {
    const error = runErrorOf(thrown);
    expect(error.message.startsWith(start)).toBe(true);
    expect(error.message.length).toBeLessThanOrEqual(LONGEST.message);
    expect(error.stack.length).toBeLessThanOrEqual(LONGEST.stack);
  });

  test('keeps the cause and the request beside a long message', () => {
    const thrown = new Error('x'.repeat(10_000), { cause: new Error('the cause') });
    Object.assign(thrown, { config: { url: 'https://api.test/a' } });
    expect(runErrorOf(thrown).message).toMatch(/^x+: the cause \(GET https:\/\/api\.test\/a\)$/);
  });
});

test('a stack has only the frames of the component, and those of causes', () => {
  const stack = (head: string, file: string) =>
    `${head}\n    at f (${file}:3)\n    at g (/component/bundle.js:10:2)\n    at async node:internal/x:1:2\n    at Array.map (<anonymous>)`;
  const cause = Object.assign(new Error('b'), { stack: stack('Error: b', 'lib/b.mjs') });
  const thrown = Object.assign(new Error('a', { cause }), { stack: stack('Error: a', 'a.mjs') });
  expect(runErrorOf(thrown).stack).toBe('Error: a: b\n    at f (a.mjs:3)\nCaused by: Error: b\n    at f (lib/b.mjs:3)');
});
