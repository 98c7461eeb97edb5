import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { until } from '../support/until.ts';

/**
 * The share of the thread that strangers have. 24 connections with 90 requests each once delayed deliveries by 9.5 s.
 */

const CONNECTIONS = 24;
const PIPELINED = 90;
/** One request with a key: connecting, sending, running and reading are a few turns of the event loop. */
const MAX_BETWEEN = 20;

const STATUS_LINE = 'HTTP/1.1 ';

let cloud: TestCloud;
const sockets = new Set<Socket>();
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(() => cloud.stop());

const page = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n`;

test.each([
  ['/docs', 'Accept-Encoding: br\r\n'],
  ['/openapi.json', 'Accept-Encoding: gzip\r\n'],
  ['/v1/users/me', 'Authorization: Bearer invented-0123456789abcdef\r\n'],
  ['/healthz', ''],
  ['/0123456789abcdef0123456789abcdef', '', 'ingress' as const],
  ['/workflows/p_0123456789abcdefghijklmn/emits', 'Authorization: Bearer invented\r\n', 'ingress' as const],
])(
  `of %s that strangers pipeline are answered, and between two responses to a key at most ${MAX_BETWEEN} of them`,
  async (path, headers, origin: 'origin' | 'ingress' = 'origin') => {
    const me = async () =>
      (await fetch(`${cloud.base}/users/me`, { headers: { authorization: `Bearer ${cloud.key}` } })).status;
    expect(await me()).toBe(200);
    await (await fetch(cloud[origin] + path)).arrayBuffer();
    let responses = 0;
    const strangers = Array.from({ length: CONNECTIONS }, (_, n) => {
      const { port } = new URL(cloud[origin]);
      const socket = connect({
        host: '127.0.0.1',
        port: Number(port),
        localAddress: `127.0.0.${(n % 3) + 2}`,
      });
      sockets.add(socket);
      const one = { responses: 0 };
      let end = '';
      socket.on('data', (chunk) => {
        // A status line may come in two pieces.
        const text = end + chunk.toString('latin1');
        const started = text.split(STATUS_LINE).length - 1;
        end = text.slice(1 - STATUS_LINE.length);
        one.responses += started;
        responses += started;
      });
      socket.write(page(path, headers).repeat(PIPELINED));
      return one;
    });
    await until('the first', () => responses > 0);
    const between: number[] = [];
    for (let n = 0; n < 50 && responses < CONNECTIONS * PIPELINED; n += 1) {
      const before = responses;
      expect(await me()).toBe(200);
      between.push(responses - before);
    }
    expect(Math.max(...between)).toBeLessThanOrEqual(MAX_BETWEEN);
    await until('all responses', () => responses === CONNECTIONS * PIPELINED);
    expect(strangers.map((one) => one.responses)).toEqual(strangers.map(() => PIPELINED));
  },
);
