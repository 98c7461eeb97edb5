import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BodyReader } from '../../../../../infra/embedded/http-api/bodies/body-reader.ts';
import { clientAddressBehind } from '../../../../../infra/embedded/http-api/clients/client-address.ts';
import { until } from '../../../../support/until.ts';
import { MIB, openEcho, post, type Sender, sender, status, statuses, type TestEvent } from './echo-gateway.ts';

/** Unfinished bodies: who loses one, and who does not. Clients have addresses of 127.0.0.0/8. */

const KIB = 1024;
const pools = ({ smallBytes = 64 * KIB, largeBytes = 8 * MIB } = {}) => new BodyReader({ smallBytes, largeBytes });

/** A body of `bytes` of which the last one is missing. */
const unfinished = (bytes: number) => post(`Content-Length: ${bytes + 1}`) + 'x'.repeat(bytes);

describe('a body above the limit of its route', () => {
  test('is answered before any of it is sent, and the function answers without it', async () => {
    const { port } = await openEcho();
    const one = sender(port, post(`Content-Length: ${5 * MIB}`));
    await until('the response', () => status(one.heard()) === '413');
  });

  test('without a length ends where the limit is', async () => {
    const { port } = await openEcho();
    const one = sender(port, post('Transfer-Encoding: chunked'));
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let n = 0; n < 17; n += 1) one.socket.write(chunk);
    await until('the response', () => status(one.heard()) === '413');
  });

  test('with Expect is refused without 100 Continue; one within the limit gets it', async () => {
    const { port } = await openEcho();
    const large = sender(port, post(`Content-Length: ${5 * MIB}\r\nExpect: 100-continue`));
    const small = sender(port, post('Content-Length: 3\r\nExpect: 100-continue'));
    await until('both', () => status(large.heard()) === '413' && status(small.heard()) === '100');
    small.socket.write('abc');
    await until('the response', () => small.heard().includes('HTTP/1.1 200'));
    expect(large.heard()).not.toContain('100 Continue');
  });
});

describe('when unfinished bodies use up their budget', () => {
  test('the oldest one of the client with most goes, with 503 and Retry-After, and a newcomer is served', async () => {
    const bodies = pools();
    const { port } = await openEcho({ bodies, host: '0.0.0.0' });
    // Today's input: two addresses that fill all of it.
    const attackers = ['127.0.0.2', '127.0.0.3'].flatMap((from) =>
      Array.from({ length: 10 }, () => sender(port, unfinished(MIB / 2), from)),
    );
    await until('refusals', () => attackers.filter((each) => status(each.heard()) === '503').length >= 4);
    expect(bodies.held).toBeLessThanOrEqual(8 * MIB);
    const newcomer = sender(port, unfinished(200_000), '127.0.0.4');
    await until('its bytes', () => attackers.filter((each) => status(each.heard()) === '503').length >= 5);
    newcomer.socket.write('x');
    await until('the newcomer', () => status(newcomer.heard()) === '200');
    const refused = attackers.find((each) => each.heard() !== '')?.heard() ?? '';
    expect(refused).toMatch(/\r\nRetry-After: 1\r\n/);
    expect(refused).toMatch(/"code":"unavailable","request_id":"[^"]+"\}$/);
  });

  test('an honest slow upload goes on while many addresses fill it again and again', async () => {
    const bodies = pools();
    const { port } = await openEcho({ bodies, host: '0.0.0.0' });
    const honest = sender(port, unfinished(100_000), '127.0.0.200');
    await until('its bytes', () => bodies.held >= 100_000);
    const attackers: Sender[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let n = 2; n < 22; n += 1) attackers.push(sender(port, unfinished(MIB / 2), `127.0.0.${n}`));
      const wanted = 4 + round * 20;
      await until('refusals', () => attackers.filter((each) => status(each.heard()) === '503').length >= wanted);
    }
    honest.socket.write('x');
    await until('the honest one', () => honest.heard().endsWith('100001'));
  });

  test('a client behind a trusted proxy loses none for another client of the proxy', async () => {
    const bodies = pools();
    const { port } = await openEcho({ bodies, clientAddress: clientAddressBehind(['127.0.0.1']) });
    const honest = sender(port, post(`X-Forwarded-For: 192.0.2.7\r\nContent-Length: 200001`) + 'y'.repeat(200_000));
    await until('its bytes', () => bodies.held >= 200_000);
    const many = Array.from({ length: 20 }, (_, n) =>
      sender(
        port,
        // One client has all addresses of a /64.
        post(`X-Forwarded-For: 2001:db8:0:1::${n + 1}\r\nContent-Length: ${MIB}`) + 'x'.repeat(MIB / 2),
      ),
    );
    await until('refusals', () => many.filter((each) => status(each.heard()) === '503').length >= 5);
    honest.socket.write('y');
    await until('the honest one', () => honest.heard().endsWith('200001'));
    for (const { socket } of many) socket.destroy();
    await until('all bytes to be free', () => bodies.held === 0);
  });

  test('bodies up to 16 KB are not touched by larger ones', async () => {
    const bodies = pools({ largeBytes: MIB });
    const { port } = await openEcho({ bodies, host: '0.0.0.0' });
    const small = sender(port, unfinished(10_000), '127.0.0.2');
    const large = Array.from({ length: 8 }, () => sender(port, unfinished(MIB / 2), '127.0.0.2'));
    await until('refusals', () => large.filter((each) => status(each.heard()) === '503').length >= 6);
    small.socket.write('x');
    await until('the small one', () => small.heard().endsWith('10001'));
  });

  test('small bodies of many addresses do not keep out a small one, nor a large one', async () => {
    const bodies = pools();
    const { port } = await openEcho({ bodies, host: '0.0.0.0' });
    const many = Array.from({ length: 60 }, (_, n) => sender(port, unfinished(15_000), `127.0.1.${n + 1}`));
    await until('refusals', () => many.filter((each) => status(each.heard()) === '503').length >= 50);
    const small = sender(port, unfinished(1_000), '127.0.0.2');
    const large = sender(port, unfinished(300_000), '127.0.0.3');
    await until('their bytes', () => bodies.held >= 300_000);
    small.socket.write('x');
    large.socket.write('x');
    await until('both', () => small.heard().endsWith('1001') && large.heard().endsWith('300001'));
  });

  test('a body in many small chunks takes the memory of its bytes', async () => {
    const bodies = pools();
    const { port } = await openEcho({ bodies });
    const bytes = 200_000;
    const one = sender(port, post('Transfer-Encoding: chunked') + '1\r\nx\r\n'.repeat(bytes));
    await until('the bytes', () => bodies.held >= bytes);
    expect(bodies.held).toBeLessThanOrEqual(2 * bytes + 0x10000);
    one.socket.write('0\r\n\r\n');
    await until('the response', () => one.heard().endsWith(String(bytes)));
    expect(bodies.held).toBe(0);
  });
});

describe('the time of a body', () => {
  test('is 30 looks, a second apart: however few bytes come, 408 is the end of none before', async () => {
    const bodies = new BodyReader({ smallBytes: MIB, largeBytes: MIB, intervalMs: 40 });
    const { port } = await openEcho({ bodies });
    const silent = sender(port, post('Content-Length: 10') + 'x');
    const slow = sender(port, post('Content-Length: 10') + 'x');
    const other = sender(port, post('Content-Length: 900000') + 'x'.repeat(1_000));
    // More looks than the two pauses of 4 s that were a 408.
    await wait(12 * 40);
    slow.socket.write('yyyyy');
    expect([silent, slow, other].map((each) => each.heard())).toEqual(['', '', '']);
    slow.socket.write('zzzz');
    await until('the slow one', () => slow.heard().endsWith('10'));
    await until('408', () => status(silent.heard()) === '408' && silent.isClosed());
    await until('408', () => status(other.heard()) === '408' && other.isClosed());
    expect(silent.heard()).toMatch(/"code":"request_timeout","request_id":"[^"]+"\}$/);
    expect(bodies.held).toBe(0);
  });
});

describe('a function that can be asked before the body', () => {
  const asked: string[] = [];
  const handle = (event: TestEvent): object => {
    if (event.isHeadCheck !== true) return { statusCode: 200, body: `got ${event.body ?? 'nothing'}` };
    asked.push(event.rawPath);
    return event.rawPath === '/open' ? { statusCode: 100 } : { statusCode: 404, body: 'no endpoint' };
  };

  test('refuses a body that takes no buffer then; one that it wants is read', async () => {
    const bodies = pools();
    const { port } = await openEcho({ bodies, handle, hasHeadChecks: true });
    const closed = sender(port, post('Content-Length: 100000', '/closed') + 'x'.repeat(50_000));
    await until('the refusal', () => closed.heard().endsWith('no endpoint'));
    expect([status(closed.heard()), bodies.held]).toEqual(['404', 0]);
    const open = sender(port, post('Content-Length: 6', '/open') + 'abc');
    await until('its bytes', () => bodies.held === 3);
    open.socket.write('def');
    await until('the response', () => open.heard().endsWith('got abcdef'));
  });

  test('refuses it before 100 Continue', async () => {
    const { port } = await openEcho({ handle, hasHeadChecks: true });
    const closed = sender(port, post('Content-Length: 6\r\nExpect: 100-continue', '/closed'));
    const open = sender(port, post('Content-Length: 6\r\nExpect: 100-continue', '/open'));
    await until('both', () => status(closed.heard()) === '404' && status(open.heard()) === '100');
    open.socket.write('abcdef');
    await until('the response', () => open.heard().endsWith('got abcdef'));
  });

  test('is not asked about a body that came with its headers, also in chunks', async () => {
    const { port } = await openEcho({ handle, hasHeadChecks: true });
    asked.length = 0;
    const whole = sender(port, post('Content-Length: 3', '/closed') + 'abc');
    const chunks = sender(port, post('Transfer-Encoding: chunked', '/closed') + '1\r\na\r\n2\r\nbc\r\n0\r\n\r\n');
    await until('both', () => [whole, chunks].every((each) => each.heard().endsWith('got abc')));
    expect(asked).toEqual([]);
  });

  test('a client that goes while the function is asked leaves nothing behind', async () => {
    const bodies = pools();
    let respond: (() => void) | undefined;
    const { gateway, port } = await openEcho({
      bodies,
      hasHeadChecks: true,
      handle: () =>
        new Promise((resolve) => {
          respond = () => {
            resolve({ statusCode: 100 });
          };
        }),
    });
    const one = sender(port, post('Content-Length: 6') + 'abc');
    const go = await until('the question', () => respond);
    one.socket.destroy();
    await until('the end', () => one.isClosed());
    go();
    await gateway.stop(60_000);
    expect(bodies.held).toBe(0);
  });
});

describe('of requests to endpoints that are not known', () => {
  /** The function's questions and requests, in their order. */
  function endpoints() {
    const seen: string[] = [];
    const handle = ({ rawPath, isHeadCheck }: TestEvent): object => {
      const isOpen = rawPath.startsWith('/open');
      seen.push(`${isHeadCheck === true ? 'asked' : 'served'} ${rawPath}`);
      if (!isOpen) return { statusCode: 404 };
      return { statusCode: isHeadCheck === true ? 100 : 200 };
    };
    return { seen, handle };
  }
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;

  test('the address is asked about, once a minute if it is open', async () => {
    const { seen, handle } = endpoints();
    const { port } = await openEcho({ name: 'ingress', handle, hasHeadChecks: true });
    const one = sender(port, get('/open/a'));
    await until('an answer', () => statuses(one.heard()).length === 1);
    one.socket.write(get('/open/b') + get('/open/c'));
    await until('all answers', () => statuses(one.heard()).length === 3);
    expect(seen).toEqual(['asked /open/a', 'served /open/a', 'served /open/b', 'served /open/c']);
  });

  test('at the own host of an endpoint the host is the address, whatever the path', async () => {
    const { seen, handle } = endpoints();
    const isEndpointHost = (host: string | undefined) => host === 'h';
    const { port } = await openEcho({ name: 'ingress', handle, hasHeadChecks: true, isEndpointHost });
    const one = sender(port, get('/open/a'));
    await until('an answer', () => statuses(one.heard()).length === 1);
    one.socket.write(get('/other') + get('/open/healthz') + get('/healthz'));
    await until('all answers', () => statuses(one.heard()).length === 4);
    expect(seen).toEqual([
      'asked /open/a',
      'served /open/a',
      'served /other',
      'served /open/healthz',
      'served /healthz',
    ]);
  });

  test('a closed one is asked about each time, and its connection stays open', async () => {
    const { seen, handle } = endpoints();
    const { port } = await openEcho({ name: 'ingress', handle, hasHeadChecks: true });
    const one = sender(port, get('/closed').repeat(3) + get('/open'));
    await until('all answers', () => statuses(one.heard()).length === 4);
    expect(statuses(one.heard())).toEqual([404, 404, 404, 200]);
    expect(seen).not.toContain('served /closed');
  });

  test('a preflight makes no address known', async () => {
    const { seen, handle } = endpoints();
    const { port } = await openEcho({ name: 'ingress', handle, hasHeadChecks: true });
    const one = sender(port, get('/open').replace('GET', 'OPTIONS') + get('/open'));
    await until('all answers', () => statuses(one.heard()).length === 2);
    expect(seen.filter((each) => each === 'asked /open')).toHaveLength(2);
  });
});
