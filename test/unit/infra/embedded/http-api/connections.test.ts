import { describe, expect, test } from 'vitest';
import { ByteBudget } from '../../../../../infra/embedded/http-api/responses/byte-budget.ts';
import { until } from '../../../../support/until.ts';
import { MIB, openEcho, sender, statuses, type TestEvent } from './echo-gateway.ts';

const served = async (port: number) => (await fetch(`http://127.0.0.1:${port}/`)).status;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('connections', () => {
  test('beyond the most replace idle ones of the address that has the most', async () => {
    const { port } = await openEcho({ maxConnections: 50 });
    const idle = numbers(200).map(() => sender(port, 'POST / HTTP/1.1\r\nX: '));
    await until('the idle ones to be closed', () => idle.filter((each) => each.isClosed()).length >= 150);
    for (let n = 0; n < 20; n += 1) expect(await served(port)).toBe(200);
    expect(idle.filter((each) => !each.isClosed()).length).toBeLessThanOrEqual(50);
  });

  test('that do not read large answers are closed when these exceed the budget', async () => {
    const unsent = new ByteBudget(64 * MIB);
    const handle = ({ rawPath }: TestEvent) => ({
      statusCode: 200,
      body: rawPath === '/large' ? 'x'.repeat(5 * MIB) : '',
    });
    const { port } = await openEcho({ unsent, handle });
    const readers = numbers(20).map(() => {
      const one = sender(port, get('/large').repeat(4));
      one.socket.pause();
      return one;
    });
    await until('unread responses', () => unsent.held > 20 * MIB);
    expect(unsent.held).toBeLessThanOrEqual(32 * MIB);
    for (const { socket } of readers) socket.destroy();
    await until('all to be free', () => unsent.held === 0);
    expect(await served(port)).toBe(200);
  });
});

describe('pipelined requests', () => {
  /** A function that answers when it is told to, and the paths that it has. */
  function gate() {
    const inWork = new Map<string, () => void>();
    const seen: string[] = [];
    const handle = ({ rawPath }: TestEvent) =>
      new Promise<object>((resolve) => {
        seen.push(rawPath);
        inWork.set(rawPath, () => {
          inWork.delete(rawPath);
          resolve({ statusCode: 200, body: `<${rawPath}>` });
        });
      });
    return { inWork, seen, handle };
  }

  test('beyond 100 unanswered ones close the connection', async () => {
    const { seen, handle } = gate();
    const { port } = await openEcho({ name: 'ingress', handle });
    const one = sender(port, get('/x').repeat(1_000));
    await until('the end', () => one.isClosed());
    expect(seen.length).toBeLessThanOrEqual(100);
  });

  test('of one connection are in work ten at a time, and all are answered in their order', async () => {
    const { inWork, seen, handle } = gate();
    const { port } = await openEcho({ name: 'ingress', handle });
    const one = sender(
      port,
      numbers(90)
        .map((n) => get(`/${n}`))
        .join(''),
    );
    await until('ten', () => inWork.size === 10);
    for (let n = 0; n < 90; n += 1) {
      expect(inWork.size).toBeLessThanOrEqual(10);
      (await until(`number ${n}`, () => inWork.get(`/${n}`)))();
    }
    await until('all answers', () => statuses(one.heard()).length === 90);
    expect(seen).toEqual(numbers(90).map((n) => `/${n}`));
    expect([...one.heard().matchAll(/<\/(\d+)>/g)].map(([, n]) => Number(n))).toEqual(numbers(90));
  });

  test('answered out of order by the function reach the client in order', async () => {
    const { inWork, handle } = gate();
    const { port } = await openEcho({ name: 'ingress', handle });
    const one = sender(
      port,
      numbers(25)
        .map((n) => get(`/${n}`))
        .join(''),
    );
    await until('ten', () => inWork.size === 10);
    for (let n = 9; n >= 0; n -= 1) inWork.get(`/${n}`)?.();
    await until('the next ten', () => inWork.size === 10);
    for (const respond of [...inWork.values()].reverse()) respond();
    await until('the rest', () => inWork.size === 5);
    for (const respond of [...inWork.values()].reverse()) respond();
    await until('all answers', () => statuses(one.heard()).length === 25);
    expect([...one.heard().matchAll(/<\/(\d+)>/g)].map(([, n]) => Number(n))).toEqual(numbers(25));
  });

  test('of a connection that is closed never begin', async () => {
    const { inWork, seen, handle } = gate();
    const { gateway, port } = await openEcho({ name: 'ingress', handle });
    const one = sender(
      port,
      numbers(50)
        .map((n) => get(`/${n}`))
        .join(''),
    );
    await until('ten', () => inWork.size === 10);
    one.socket.destroy();
    await until('the end', () => one.isClosed());
    const ended = gateway.stop(60_000);
    for (const respond of [...inWork.values()]) respond();
    await ended;
    expect(seen).toHaveLength(10);
  });
});

test('a request whose function exceeds the time limit of the integration is a 503, and the next is answered', async () => {
  const handle = ({ rawPath }: TestEvent) =>
    rawPath === '/never' ? new Promise<never>(() => undefined) : { statusCode: 200 };
  const { port } = await openEcho({ handle, timeoutMs: 60 });
  const response = await fetch(`http://127.0.0.1:${port}/never`);
  expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }]);
  expect(await served(port)).toBe(200);
});

describe('a stop', () => {
  test('waits for the answers of requests that were begun, refuses those that wait for their turn, and ends', async () => {
    const waiting = new Map<string, () => void>();
    const handle = ({ rawPath }: TestEvent) =>
      new Promise<object>((resolve) => {
        waiting.set(rawPath, () => {
          resolve({ statusCode: 200, body: rawPath });
        });
      });
    const { gateway, port } = await openEcho({ name: 'ingress', handle });
    const one = sender(
      port,
      numbers(12)
        .map((n) => get(`/${n}`))
        .join(''),
    );
    await until('ten', () => waiting.size === 10);
    const stopped = gateway.stop(60_000);
    for (const respond of [...waiting.values()]) respond();
    await stopped;
    await until('the end', () => one.isClosed());
    expect(statuses(one.heard()).slice(0, 11)).toEqual([...numbers(10).map(() => 200), 503]);
    expect(waiting.size).toBe(10);
  });

  test('ends after its time although bodies are unfinished and answers are not read', async () => {
    const handle = () => ({ statusCode: 200, body: 'x'.repeat(5 * MIB) });
    const { gateway, port } = await openEcho({ handle });
    const unfinished = sender(port, 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc');
    const stalled = sender(port, get('/'));
    stalled.socket.pause();
    const never = sender(port, 'GET / HTTP/1.1\r\nX: ');
    expect(await served(port)).toBe(200);
    await gateway.stop(50);
    stalled.socket.resume();
    await until('the ends', () => [unfinished, stalled, never].every((each) => each.isClosed()));
  });
});
