import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { until } from '../support/until.ts';

/** The share of the thread that strangers have. 24 connections with 90 requests each once delayed deliveries by 9.5 s. */

const CONNECTIONS = 24;
const PIPELINED = 90;
/** Of one request with a key: connecting, sending, running and reading are a few turns of the event loop. */
const MOST_BETWEEN = 20;

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
  ['/docs', ''],
  ['/openapi.json', 'Accept-Encoding: br\r\n'],
  ['/v1/users/me', 'Authorization: Bearer invented-0123456789abcdef\r\n'],
])(
  `of %s that strangers pipeline are answered, and between two answers to a key at most ${MOST_BETWEEN} of them`,
  async (path, headers) => {
    const me = async () =>
      (await fetch(`${cloud.base}/users/me`, { headers: { authorization: `Bearer ${cloud.key}` } })).status;
    expect(await me()).toBe(200);
    await (await fetch(cloud.origin + path)).arrayBuffer();
    let answers = 0;
    const strangers = Array.from({ length: CONNECTIONS }, (_, n) => {
      const { port } = new URL(cloud.origin);
      const socket = connect({
        host: '127.0.0.1',
        port: Number(port),
        localAddress: `127.0.0.${(n % 3) + 2}`,
      });
      sockets.add(socket);
      const one = { answers: 0 };
      socket.on('data', (chunk) => {
        const begun = chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
        one.answers += begun;
        answers += begun;
      });
      socket.write(page(path, headers).repeat(PIPELINED));
      return one;
    });
    await until('the first', () => answers > 0);
    const between: number[] = [];
    for (let n = 0; n < 50 && answers < CONNECTIONS * PIPELINED; n += 1) {
      const before = answers;
      expect(await me()).toBe(200);
      between.push(answers - before);
    }
    expect(Math.max(...between)).toBeLessThanOrEqual(MOST_BETWEEN);
    await until('all answers', () => answers === CONNECTIONS * PIPELINED);
    expect(strangers.map((one) => one.answers)).toEqual(strangers.map(() => PIPELINED));
  },
);
