import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LOOKUP_MS } from '../../../../shared/dns/resolve-names.ts';
import { candidatesOf, readHosts, readResolvConf } from '../../../../shared/dns/system-names.ts';
import { type DnsResponse, NameServer } from '../../../support/name-server.ts';
import { until } from '../../../support/until.ts';

let server: NameServer | undefined;
afterEach(() => {
  vi.restoreAllMocks();
  server?.stop();
});

async function start(
  responses: Record<string, DnsResponse> | ((name: string) => DnsResponse),
  files?: { resolvConf?: string; hosts?: string },
): Promise<NameServer> {
  const find = typeof responses === 'function' ? responses : (name: string) => responses[name] ?? 'absent';
  server = await NameServer.start(find, files);
  return server;
}

describe('/etc/resolv.conf', () => {
  test('gives servers, search domains and ndots; the rest is ignored', () => {
    const text = [
      '# nameserver 192.0.2.1',
      '; nameserver 192.0.2.2',
      'nameserver 192.0.2.3',
      'nameserver ns.example',
      '  nameserver   2001:db8::1 ',
      'nameserver 192.0.2.4:5353',
      'nameserver 192.0.2.5',
      'domain example.org',
      'search a.example. b.example',
      'options timeout:1 ndots:3 rotate',
      'sortlist 192.0.2.0',
    ].join('\n');
    expect(readResolvConf(text)).toEqual({
      servers: ['192.0.2.3', '2001:db8::1', '192.0.2.4:5353'],
      search: ['a.example', 'b.example'],
      ndots: 3,
    });
  });

  test('that is missing means the server of this machine', () => {
    expect(readResolvConf('')).toEqual({ servers: ['127.0.0.1'], search: [], ndots: 1 });
  });

  test.each([
    ['host', 1, ['host.a.example', 'host.b.example', 'host']],
    ['host.x', 1, ['host.x', 'host.x.a.example', 'host.x.b.example']],
    ['host.x', 2, ['host.x.a.example', 'host.x.b.example', 'host.x']],
    ['host.', 1, ['host']],
    ['host.x.', 5, ['host.x']],
  ])('%s with ndots:%i is asked for as %j', (name, ndots, expected) => {
    expect(candidatesOf(name, { servers: [], search: ['a.example', 'b.example'], ndots })).toEqual(expected);
  });
});

test('/etc/hosts gives all addresses of a name, whatever its case', () => {
  const hosts = readHosts('# x\n127.0.0.1 localhost Host # other\n::1 localhost\nbad host\n127.0.0.1 localhost\n');
  expect([...hosts]).toEqual([
    [
      'localhost',
      [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    ],
    ['host', [{ address: '127.0.0.1', family: 4 }]],
  ]);
});

test('names of /etc/hosts, localhost and addresses in any form need no server', async () => {
  const { lookup, queries } = await start({}, { hosts: '192.0.2.9 Box box.example\n' }).then((started) => ({
    lookup: started.lookup.bind(started),
    queries: started.queries,
  }));
  expect(await lookup('box')).toEqual(['192.0.2.9']);
  expect(await lookup('BOX.example')).toEqual(['192.0.2.9']);
  expect(new Set(await lookup('localhost'))).toEqual(new Set(['127.0.0.1', '::1']));
  expect(new Set(await lookup('app.localhost.'))).toEqual(new Set(['127.0.0.1', '::1']));
  expect(await lookup('0x7f.1')).toEqual(['127.0.0.1']);
  expect(await lookup('2852039166')).toEqual(['169.254.169.254']);
  expect(await lookup('2001:db8::1')).toEqual(['2001:db8::1']);
  expect(queries).toEqual([]);
});

test('a name has the addresses of both families, and is asked for once within its TTL', async () => {
  const { names, queries } = await start({
    'both.example': { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8::1'] },
  });
  const ask = (family: number) =>
    new Promise((resolve) => {
      names.lookup('Both.Example', { family }, (_, addresses) => resolve(addresses.map(({ address }) => address)));
    });
  expect(new Set((await Promise.all([ask(0), ask(0)])) as string[][])).toHaveLength(2);
  expect(await ask(4)).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(await ask(6)).toEqual(['2001:db8::1']);
  expect(queries.sort()).toEqual(['both.example A', 'both.example AAAA']);
});

test('after its TTL, of at least a second, a name is asked for again, and follows its change', async () => {
  let address = '192.0.2.1';
  const started = await start(() => ({ a: [address], ttl: 0 }));
  const now = vi.spyOn(performance, 'now');
  const at = performance.now();
  now.mockReturnValue(at);
  expect(await started.lookup('moving.example')).toEqual(['192.0.2.1']);
  address = '192.0.2.2';
  now.mockReturnValue(at + 900);
  expect(await started.lookup('moving.example')).toEqual(['192.0.2.1']);
  now.mockReturnValue(at + 1_100);
  expect(started.names.isWarm('moving.example')).toBe(true);
  expect(await started.lookup('moving.example')).toEqual(['192.0.2.2']);
});

test('a search domain completes a name, and the next one is asked where a server fails', async () => {
  const started = await start(
    { 'box.a.example': 'failure', 'box.b.example': { a: ['192.0.2.7'] } },
    { resolvConf: 'search a.example b.example\n' },
  );
  expect(await started.lookup('box')).toEqual(['192.0.2.7']);
});

test('a change of the files counts without a restart', async () => {
  const started = await start({ 'host.example': { a: ['192.0.2.1'] } });
  expect(await started.lookup('host.example')).toEqual(['192.0.2.1']);
  expect(await started.lookup('new')).toBe('ENOTFOUND');
  writeFileSync(started.hosts, '192.0.2.5 new host.example\n');
  await until('the file is read again', async () => (await started.lookup('new'))[0] === '192.0.2.5');
  expect(await started.lookup('host.example')).toEqual(['192.0.2.5']);
});

test('a name that is absent, and a name without addresses, are not known; a failing server may be asked again', async () => {
  const started = await start({ 'empty.example': {}, 'broken.example': 'failure' });
  expect(await started.lookup('absent.example')).toBe('ENOTFOUND');
  expect(await started.lookup('empty.example')).toBe('ENOTFOUND');
  expect(await started.lookup('broken.example')).toBe('EAI_AGAIN');
  const count = started.queries.length;
  expect(await started.lookup('absent.example')).toBe('ENOTFOUND');
  expect(started.queries.length).toBe(count);
});

test('one family that does not answer holds the other for a moment only', async () => {
  const found = await NameServer.start((_, type) => (type === 'A' ? { a: ['192.0.2.3'] } : 'silent'));
  server = found;
  const at = performance.now();
  expect(await found.lookup('half.example')).toEqual(['192.0.2.3']);
  expect(performance.now() - at).toBeLessThan(LOOKUP_MS);
});

describe('names that do not answer', () => {
  const silent = (name: string): DnsResponse => (name.endsWith('silent.example') ? 'silent' : { a: ['192.0.2.1'] });

  test('end in time, and hold neither other names of their owner nor other owners', async () => {
    const started = await start(silent);
    const at = performance.now();
    const held = Array.from({ length: 200 }, (_, n) => started.lookup(`n${n}.silent.example`, 'u_1'));
    const ended = vi.fn();
    void Promise.race(held).then(ended);
    expect(await started.lookup('good.example', 'u_1')).toEqual(['192.0.2.1']);
    expect(await started.lookup('n1.good.example', 'u_2')).toEqual(['192.0.2.1']);
    expect(ended).not.toHaveBeenCalled();
    expect(new Set(await Promise.all(held))).toEqual(new Set(['EAI_AGAIN']));
    expect(performance.now() - at).toBeLessThan(2 * LOOKUP_MS);
  });

  test('of many zones hold their owner, and no other one', async () => {
    const started = await start((name) => (name.startsWith('s') ? 'silent' : { a: ['192.0.2.1'] }));
    const held = Array.from({ length: 200 }, (_, n) => started.lookup(`s.zone${n}.example${n}`, 'u_1'));
    // The owner also asks for the name of another one.
    const waits = started.lookup('good.example', 'u_1');
    expect(await started.lookup('good.example', 'u_2')).toEqual(['192.0.2.1']);
    await Promise.all([...held, waits]);
    expect(await started.lookup('better.example', 'u_1')).toEqual(['192.0.2.1']);
    // Those that waited in vain were not begun.
    expect(new Set(started.queries.filter((query) => query.startsWith('s'))).size).toBeLessThanOrEqual(2 * 32);
  });
});
