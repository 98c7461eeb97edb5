import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DescriptorBudget, gatewayDescriptors } from '../../../infra/embedded/isolation/descriptor-budget.ts';
import { Gateway, type GatewayOptions } from '../../../infra/embedded/isolation/gateway.ts';
import { createAgent, createAttempter } from '../../../shared/aws/deliver-http.ts';
import type { HttpAttempt } from '../../../shared/aws/http-attempt.ts';
import { CONNECTIONS } from '../../../shared/runtime/network/gateway-client.ts';
import { attemptOnce, noTargets } from '../../support/attempt-once.ts';
import { gatewayOptions } from '../../support/gateway-options.ts';
import { NameServer } from '../../support/name-server.ts';
import { until } from '../../support/until.ts';

const holderOf = (owner: string) => () => ({ owner, party: 'dc_1' });

/**
 * 40 webhooks to names that no server answers for stopped the webhooks of all users: Node looks names up in a few
 * threads. In the sandbox 20 runs that asked for such names made others wait for 18 s, and 20 runs with all their
 * connections took every descriptor.
 */
let nameServer: NameServer;
let server: Server;
let port: number;
beforeAll(async () => {
  nameServer = await NameServer.start(
    (name) => (name.endsWith('silent.example') ? 'silent' : { a: ['127.0.0.1'], ttl: 0 }),
    { hosts: '127.0.0.1 localhost hosted.example\n' },
  );
  server = createServer((request, response) => {
    if (request.url !== '/hangs') response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  nameServer.stop();
  server.closeAllConnections();
  server.close();
});

describe('webhooks', () => {
  function sender() {
    const agent = createAgent({ allowPrivate: true, allowList: [] }, { names: nameServer.names });
    onTestFinished(() => agent.destroy());
    const attempt = createAttempter(agent, () => performance.now(), noTargets);
    return (url: string, more?: Partial<HttpAttempt>) => attemptOnce(attempt, url, more);
  }
  const good = (host: string, path = '/') => `http://${host}:${port}${path}`;

  test('to a silent zone are unreachable in time, with a sentence, and no other user waits', async () => {
    const send = sender();
    const silent = Array.from({ length: 400 }, (_, n) => send(good(`n${n % 40}.silent.example`), { timeoutMs: 5_000 }));
    const first = vi.fn();
    void Promise.race(silent).then(first);
    const others = ['u_2', 'u_3', 'u_4'].map((ownerId) =>
      send(good(`${ownerId.replace('_', '')}.good.example`), { ownerId }),
    );
    expect((await Promise.all(others)).map(({ outcome }) => outcome)).toEqual(Array(3).fill('delivered'));
    expect(first).not.toHaveBeenCalled();
    const outcomes = await Promise.all(silent);
    // An attempt that reached its time limit would be `timed_out`.
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['unreachable']));
    expect(outcomes[0]?.reason).toMatch(
      /^The name server did not answer \(getaddrinfo EAI_AGAIN n0\.silent\.example\)$/,
    );
  });

  test('of one user to a hundred receivers that hang leave connections to others, also to the same origin', async () => {
    const send = sender();
    const hosts = Array.from({ length: 20 }, (_, n) => `h${n}.good.example`);
    const ended = vi.fn();
    for (const host of hosts)
      for (let n = 0; n < 50; n += 1)
        void send(good(host, '/hangs'), { ownerId: 'u_1', timeoutMs: 60_000 }).then(ended);
    expect(await send(good('h0.good.example'), { ownerId: 'u_2' })).toMatchObject({ outcome: 'delivered' });
    expect(await send(good('h19.good.example'), { ownerId: 'u_3' })).toMatchObject({ outcome: 'delivered' });
    expect(ended).not.toHaveBeenCalled();
  });

  test('find names of /etc/hosts, and a name that is absent is unreachable', async () => {
    expect(await sender()(good('hosted.example'))).toMatchObject({ outcome: 'delivered' });
    const absent = await NameServer.start(() => 'absent');
    onTestFinished(() => absent.stop());
    const agent = createAgent({ allowPrivate: true, allowList: [] }, { names: absent.names });
    onTestFinished(() => agent.destroy());
    const attempt = createAttempter(agent, () => performance.now(), noTargets);
    expect(await attemptOnce(attempt, good('none.example'))).toMatchObject({
      outcome: 'unreachable',
      reason: 'The host name is not known (getaddrinfo ENOTFOUND none.example)',
    });
  });

  test('a name of a metadata address or of the own port is blocked, whatever is allowed', async () => {
    const metadata = await NameServer.start((name) => ({
      a: [name.startsWith('own') ? '127.0.0.1' : '169.254.169.254'],
    }));
    onTestFinished(() => metadata.stop());
    const agent = createAgent(
      { allowPrivate: true, allowList: ['0.0.0.0/0'], ownPorts: [port], openPorts: [] },
      { names: metadata.names },
    );
    onTestFinished(() => agent.destroy());
    const attempt = createAttempter(agent, () => performance.now(), noTargets);
    for (const host of ['m.example', 'own.example', 'localhost', '169.254.169.254', '[::ffff:a9fe:a9fe]'])
      expect([host, (await attemptOnce(attempt, good(host))).outcome]).toEqual([host, 'blocked']);
  });
});

describe('the gateway of sandboxes', () => {
  async function gatewayOf(more: Partial<GatewayOptions>) {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
    const gateway = await Gateway.open(folder, gatewayOptions({ names: nameServer.names, ...more }));
    const sockets: Socket[] = [];
    onTestFinished(() => {
      gateway.close();
      for (const socket of sockets) socket.destroy();
      rmSync(folder, { recursive: true, force: true });
    });
    const opened = (name: string) => {
      const socket = connect(join(folder, name)).on('error', () => undefined);
      sockets.push(socket);
      return socket;
    };
    return {
      opened,
      async ask(requests: readonly object[]): Promise<string[]> {
        const socket = opened('gateway');
        socket.write(requests.map((request, id) => `${JSON.stringify({ id, ...request })}\n`).join(''));
        const responses: string[] = [];
        for await (const line of createInterface(socket)) {
          responses.push(line);
          if (responses.length === requests.length) break;
        }
        socket.destroy();
        return responses;
      },
    };
  }

  test('20 runs that ask for silent names make no one wait, in any kind of request', async () => {
    const attackers = await Promise.all(
      Array.from({ length: 20 }, () => gatewayOf({ holder: holderOf('u_attacker') })),
    );
    const held = attackers.map(({ ask }, run) =>
      ask(
        Array.from({ length: 30 }, (_, n) => {
          const host = `g${run}x${n}.silent.example`;
          return (
            [{ lookup: { host } }, { connect: { host, port } }, { resolve: { name: host, type: 'A' } }][n % 3] ?? {}
          );
        }),
      ),
    );
    const first = vi.fn();
    void Promise.race(held).then(first);
    const neighbour = await gatewayOf({ holder: holderOf('u_neighbour') });
    const [looked, connected, resolved] = await neighbour.ask([
      { lookup: { host: 'a.good.example' } },
      { connect: { host: 'b.good.example', port } },
      { resolve: { name: 'c.good.example', type: 'A' } },
    ]);
    for (const response of [looked, connected, resolved]) expect(response).toContain('127.0.0.1');
    expect(first).not.toHaveBeenCalled();
    const responses = (await Promise.all(held)).flat();
    expect(responses.filter((response) => !/EAI_AGAIN|ETIMEOUT/.test(response))).toEqual([]);
  });

  test('20 runs with all their connections leave descriptors to others', async () => {
    const descriptors = new DescriptorBudget(400, 200);
    const attackers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => gatewayOf({ descriptors, holder: holderOf(`u_${n % 4}`) })),
    );
    const closed = vi.fn();
    for (const { opened } of attackers) for (let n = 0; n < 60; n += 1) opened(CONNECTIONS).on('close', closed);
    await until('connections beyond the limits are closed', () => closed.mock.calls.length > 700);
    const neighbour = await gatewayOf({ descriptors, holder: holderOf('u_neighbour') });
    const [response] = await neighbour.ask([{ connect: { host: '127.0.0.1', port } }]);
    expect(response).toContain('"address":"127.0.0.1"');
  });

  test('a connection beyond the limit of its account is refused with a sentence, and a closed one gives its place back', async () => {
    const { ask, opened } = await gatewayOf({ descriptors: new DescriptorBudget(100, 3) });
    const idle = [opened(CONNECTIONS), opened(CONNECTIONS)];
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const target = { connect: { host: '127.0.0.1', port } };
    expect((await ask([target]))[0]).toMatch(/its user has too many.*ERR_ACCESS_DENIED/);
    for (const socket of idle) socket.destroy();
    await until('there is a place again', async () => (await ask([target]).catch(() => []))[0]?.includes('"address"'));
  });
});

test('no account gets more descriptors than are left, and all of them come back', () => {
  const budget = new DescriptorBudget(100, 80);
  const takeAll = (owner: string) => {
    const taken: (() => void)[] = [];
    for (let one = budget.take(owner); one; one = budget.take(owner)) taken.push(one);
    return taken;
  };
  const taken = ['a', 'b', 'c', 'd'].map(takeAll);
  expect(taken.map(({ length }) => length)).toEqual([50, 25, 13, 6]);
  for (const giveBack of taken.flat()) giveBack();
  expect(takeAll('e')).toHaveLength(50);
});

test('the gateways stay below the limit for open files', () => {
  expect(gatewayDescriptors(10, 'Max open files            4096                 4096                 files')).toBe(
    4096 - 256 - 80,
  );
  expect(gatewayDescriptors(10, 'Max open files            unlimited            unlimited            files')).toBe(
    Infinity,
  );
  expect(gatewayDescriptors(1_000, 'Max open files            1024                 4096                 files')).toBe(
    64,
  );
});
