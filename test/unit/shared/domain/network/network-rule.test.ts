import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { addressRefusal, type NetworkRule, readRule } from '../../../../../shared/domain/network/network-rule.ts';

const OWN = ['192.0.2.7', '2001:db8::7'];
const everything: NetworkRule = { allowPrivate: true, allowList: ['0.0.0.0/0', '::/0'] };
const closed: NetworkRule = { allowPrivate: false, allowList: [] };

function refusal(address: string, port: number, rule: NetworkRule): string | undefined {
  const read = readRule(rule, OWN, (cidr) => {
    const [block, bits] = ipaddr.parseCIDR(cidr);
    return { bytes: block.toByteArray(), bits };
  });
  return addressRefusal(ipaddr.parse(address).toByteArray(), port, read);
}

/** Every IPv6 form of an IPv4 address. */
function formsOf(v4: string): string[] {
  const bytes = v4.split('.').map(Number);
  const word = (first = 0, second = 0) => ((first << 8) | second).toString(16);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const hex = `${word(a, b)}:${word(c, d)}`;
  const inverted = `${word(255 - a, 255 - b)}:${word(255 - c, 255 - d)}`;
  return [
    `::ffff:${v4}`,
    `::${hex}`,
    `::ffff:0:${hex}`,
    `64:ff9b::${hex}`,
    `64:ff9b:1::${hex}`,
    `64:ff9b:1:${word(a, b)}:${word(0, c)}:${word(d, 0)}::`,
    `64:ff9b:1:${word(0, a)}:${word(0, b)}:${word(c, d)}::`,
    `64:ff9b:1:0:${word(0, a)}:${word(b, c)}:${word(d, 0)}:0`,
    `2002:${hex}::1`,
    `2001:0:${hex}::1`,
    `2001:0:4136:e378:8000:63bf:${inverted}`,
    `2606:4700::5efe:${hex}`,
    `2606:4700::200:5efe:${hex}`,
  ];
}

describe('metadata addresses are refused whatever is allowed', () => {
  test.each(['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192'])(
    '%s, in each form',
    (v4) => {
      for (const address of [v4, ...formsOf(v4)])
        expect([address, refusal(address, 80, everything)]).toEqual([address, 'metadata']);
    },
  );

  test.each(['fd00:ec2::254', 'fd20:ce::254', 'fe80::a9fe:a9fe'])('%s', (address) => {
    expect(refusal(address, 443, everything)).toBe('metadata');
  });

  test('their neighbours are not', () => {
    for (const address of ['169.253.255.255', '168.63.129.17', '100.100.100.201', '192.0.0.193', 'fd00:ec2::253'])
      expect([address, refusal(address, 80, everything)]).toEqual([address, undefined]);
  });
});

describe("the service's own ports", () => {
  const rule: NetworkRule = { ...everything, ownPorts: [3000], openPorts: [3001] };
  const local = [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '::',
    '::1',
    ...OWN,
    ...formsOf('127.0.0.1'),
    ...formsOf('192.0.2.7'),
  ];

  test('are refused at every address of the machine, and only there', () => {
    for (const address of local) expect([address, refusal(address, 3000, rule)]).toEqual([address, 'own_port']);
    for (const address of ['192.0.2.8', '10.0.0.1', '2001:db8::8'])
      expect([address, refusal(address, 3000, rule)]).toEqual([address, undefined]);
  });

  test('other ports of the machine are not', () => {
    for (const address of local) expect([address, refusal(address, 3002, rule)]).toEqual([address, undefined]);
  });

  test('the ingress is allowed where private addresses are refused, at addresses of the machine only', () => {
    const strict: NetworkRule = { ...closed, ownPorts: [3000], openPorts: [3001] };
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', ...OWN])
      expect([address, refusal(address, 3001, strict)]).toEqual([address, undefined]);
    for (const address of ['10.0.0.1', '192.0.2.8', '64:ff9b::7f00:1', '2002:7f00:1::'])
      expect([address, refusal(address, 3001, strict)]).toEqual([address, 'special']);
    for (const address of ['127.0.0.1', '::1', ...OWN])
      expect([address, refusal(address, 3000, strict), refusal(address, 3002, strict)]).toEqual([
        address,
        'own_port',
        'special',
      ]);
    expect(refusal('169.254.169.254', 3001, strict)).toBe('metadata');
  });
});

test('an IPv4 address in a public IPv6 address makes that one special', () => {
  expect(formsOf('8.8.8.8').filter((address) => refusal(address, 80, closed) === undefined)).toEqual([]);
});

test('an allow list opens its blocks, and a mapped address of one', () => {
  const rule = { allowPrivate: false, allowList: ['10.1.0.0/16', 'fd12::/32'] };
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1']) expect(refusal(address, 80, rule)).toBeUndefined();
  for (const address of ['10.2.0.1', '64:ff9b::a01:203', '127.0.0.1'])
    expect(refusal(address, 80, rule)).toBe('special');
});
