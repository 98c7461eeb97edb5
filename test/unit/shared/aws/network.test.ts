import { createServer, type Server } from 'node:http';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Agent, request } from 'undici';
import { addressCheckOf, connector, type Resolve } from '../../../../shared/aws/network.ts';
import type { NetworkRule } from '../../../../shared/domain/network/network-rule.ts';

const closed: NetworkRule = { allowPrivate: false, allowList: [] };

const special: [name: string, ...addresses: string[]][] = [
  ['loopback', '127.0.0.1', '127.8.8.8', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'],
  ['private', '10.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '192.168.255.255'],
  ['link-local', '169.254.0.0', '169.254.1.1', 'fe80::1', 'fe80::1%lo', 'febf::1'],
  ['metadata', '169.254.169.254', '169.254.170.2', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  ['carrier-grade NAT', '100.64.0.0', '100.64.0.1', '100.127.255.255'],
  ['unspecified and this network', '0.0.0.0', '0.1.2.3', '0.255.255.255', '::'],
  ['unique local and site-local', 'fc00::1', 'fdff::1', 'fec0::1', 'feff::1'],
  ['multicast and broadcast', '224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1', '255.255.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.8', '192.0.0.170', '192.0.0.255'],
  ['documentation', '192.0.2.1', '192.0.2.255', '198.51.100.1', '203.0.113.1', '203.0.113.255', '2001:db8::1', '2001:db8:ffff::1', '3fff::1', '3fff:fff:ffff::1'],
  ['benchmarking', '198.18.0.1', '198.19.255.255', '2001:2::1'],
  ['AS112 and AMT', '192.31.196.1', '192.52.193.1', '192.175.48.1', '2620:4f:8000::1', '2001:3::1', '2001:4:112::1'],
  ['the former 6to4 relays', '192.88.99.0', '192.88.99.1', '192.88.99.255'],
  ['reserved', '240.0.0.1', '247.1.2.3', '255.255.255.254'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '0:0:0:0:0:ffff:a9fe:a9fe'],
  ['IPv4-compatible, in decimals and in hex', '::127.0.0.1', '::169.254.169.254', '::8.8.8.8', '::7f00:1', '::a9fe:a9fe', '::a00:1', '::2'],
  ['NAT64 and translated', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b::169.254.169.254', '64:ff9b:1::7f00:1', '64:ff9b:1:ffff::1', '::ffff:0:10.0.0.1', '::ffff:0:7f00:1'],
  ['6to4', '2002::1', '2002:7f00:1::', '2002:a00:1::1', '2002:a9fe:a9fe::1', '2002:ffff:ffff::1'],
  ['Teredo and the rest of 2001::/23', '2001::1', '2001:0:7f00:1::', '2001:10::1', '2001:20::1', '2001:30::1', '2001:1ff:ffff::1'],
  ['ISATAP', '2606:4700::5efe:7f00:1', '2606:4700::5efe:169.254.169.254', '2606:4700::200:5efe:10.0.0.1', '2606:4700::100:5efe:a00:1', '2606:4700::300:5efe:a00:1', 'fe80::5efe:10.0.0.1'],
  ['discard, segment routing and local', '100::1', '100:0:0:1::1', '5f00::1', '1fff::1', 'ff00::'],
  ['outside of the block of public IPv6 addresses', '1::1', '1fff:ffff::1', '4000::1', '5555::1', '8000::1', 'a000::1', 'c000::1', 'e000::1', 'f000::1', 'fbff::1'],
]; // oxfmt-ignore

const isAllowed = (address: string, rule: NetworkRule) => addressCheckOf(rule).check(address, 443) === undefined;

describe('refused addresses', () => {
  test.each(special)('%s', (_, ...addresses) => {
    expect(addresses.filter((address) => isAllowed(address, closed))).toEqual([]);
  });

  test('the ordinary internet is allowed', () => {
    const addresses = [
      '8.8.8.8', '1.1.1.1', '1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.1', '168.63.129.15',
      '169.253.1.1', '169.255.0.0', '172.15.255.255', '172.32.0.1', '192.0.1.1', '192.0.3.1', '192.88.98.1', '192.88.100.1', '192.167.1.1',
      '192.169.1.1', '198.17.1.1', '198.20.0.1', '198.51.99.1', '203.0.112.1', '203.0.114.1', '223.255.255.255',
      '2000::1', '2001:200::1', '2001:db7::1', '2001:db9::1', '2003::1', '2606:4700:4700::1111', '2606:4700::5eff:1', '2606:4700::1:5efe:1:1',
      '2620:4f:8001::1', '2a00:1450::1', '3ffe::1', '3fff:1000::1',
    ]; // oxfmt-ignore
    expect(addresses.filter((address) => !isAllowed(address, closed))).toEqual([]);
  });

  test('other texts than addresses are refused', () => {
    for (const text of ['', 'localhost', '1.2.3.4.5', 'fe80::zz']) expect(isAllowed(text, closed)).toBe(false);
  });

  test('an allow list opens its blocks and nothing else', () => {
    const rule = { allowPrivate: false, allowList: ['10.1.0.0/16', 'fd12::/32'] };
    expect(isAllowed('10.1.200.3', rule)).toBe(true);
    expect(isAllowed('::ffff:10.1.0.1', rule)).toBe(true);
    expect(isAllowed('fd12::5', rule)).toBe(true);
    expect(isAllowed('10.2.0.1', rule)).toBe(false);
    expect(isAllowed('127.0.0.1', rule)).toBe(false);
  });

  test('an allow list that is no list of CIDR blocks is an error immediately', () => {
    expect(() => connector({ allowPrivate: false, allowList: ['10.0.0.0'] })).toThrow();
  });

  test('everything is allowed where private addresses are', () => {
    expect(isAllowed('127.0.0.1', { allowPrivate: true, allowList: [] })).toBe(true);
  });
});

describe('at connect time', () => {
  let server: Server;
  let port: number;
  let hits = 0;

  beforeAll(async () => {
    server = createServer((_, response) => {
      hits += 1;
      response.end('in');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  async function get(host: string, rule: NetworkRule, resolve?: Resolve): Promise<string> {
    const agent = new Agent({ connect: connector(rule, resolve ? { resolve } : {}) });
    try {
      const { body } = await request(`http://${host}:${port}/`, { dispatcher: agent });
      return await body.text();
    } finally {
      await agent.destroy();
    }
  }

  const literals = [
    '127.0.0.1', '127.1', '0x7f.1', '0x7f000001', '2130706433', '017700000001', '0177.0.0.01',
    '[::1]', '[::7f00:1]', '[::127.0.0.1]', '[::a9fe:a9fe]', '[64:ff9b::7f00:1]', '[2606:4700::5efe:7f00:1]', '[4000::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]', '0', '0.0.0.0', 'localhost', 'LOCALHOST', '127.0.0.1.',
  ]; // oxfmt-ignore

  test.each(literals)('%s does not reach the server', async (host) => {
    const before = hits;
    await expect(get(host, closed)).rejects.toMatchObject({ code: 'ERR_ADDRESS_REFUSED' });
    expect(hits).toBe(before);
  });

  test('the server answers where private addresses are allowed, or the block is listed', async () => {
    expect(await get('127.0.0.1', { allowPrivate: true, allowList: [] })).toBe('in');
    expect(await get('127.0.0.1', { allowPrivate: false, allowList: ['127.0.0.0/8'] })).toBe('in');
    expect(await get('localhost', { allowPrivate: false, allowList: ['127.0.0.0/8', '::1/128'] })).toBe('in');
  });

  const resolving = (...addresses: string[]) => {
    const lookups: string[] = [];
    const resolve: Resolve = (hostname, _, done) => {
      lookups.push(hostname);
      const found: LookupAddress[] = addresses.map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
      done(null, found);
    };
    return { lookups, resolve };
  };

  test.each(['22', '25', '465', '587'])('port %s is refused, whatever else is allowed', async (refused) => {
    const agent = new Agent({ connect: connector({ allowPrivate: true, allowList: [] }) });
    onTestFinished(() => agent.destroy());
    await expect(request(`http://127.0.0.1:${refused}/`, { dispatcher: agent })).rejects.toMatchObject({
      code: 'ERR_ADDRESS_REFUSED',
      message: `127.0.0.1 has port ${refused}, and this service does not connect to the ports 22, 25, 465 and 587`,
    });
  });

  test('one private address among the resolved ones refuses the name', async () => {
    const { resolve } = resolving('8.8.8.8', '127.0.0.1');
    await expect(get('example.test', closed, resolve)).rejects.toMatchObject({
      code: 'ERR_ADDRESS_REFUSED',
      message: expect.stringContaining('example.test (127.0.0.1) is a loopback address'),
    });
  });

  test('a name is resolved once per attempt, and that answer is the one connected to', async () => {
    const { lookups, resolve } = resolving('127.0.0.1');
    expect(await get('example.test', { allowPrivate: false, allowList: ['127.0.0.0/8'] }, resolve)).toBe('in');
    expect(lookups).toEqual(['example.test']);
  });
});
