import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBytes, blockOf } from '../../../../../shared/runtime/network/address-bytes.ts';
import { refusesBy } from '../../../../../shared/runtime/network/address-rule.ts';

const refuses = (rule: Partial<Parameters<typeof refusesBy>[0]>) =>
  refusesBy({
    allowPrivate: true,
    allowList: [],
    ownPorts: [],
    openPorts: [],
    ownAddresses: [],
    exceptions: [],
    ...rule,
  });

/** Node's own comparison of the text with the bytes. */
function isSame(text: string, bytes: readonly number[]): boolean {
  const list = new BlockList();
  const groups = Array.from({ length: 8 }, (_, index) => 256 * (bytes[2 * index] ?? 0) + (bytes[2 * index + 1] ?? 0));
  if (bytes.length === 4) list.addAddress(bytes.join('.'));
  else list.addAddress(groups.map((group) => group.toString(16)).join(':'), 'ipv6');
  return list.check(text, bytes.length === 4 ? 'ipv4' : 'ipv6');
}

/** Texts that are addresses, and their neighbours that are none. */
const texts = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefF:.%'), maxLength: 24 }),
  fc
    .tuple(fc.ipV6(), fc.nat(40), fc.constantFrom(':', '.', '0', '%a', ''))
    .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at)),
);

describe('an address', () => {
  test('is read as Node reads it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = addressBytes(text);
        const zone = text.indexOf('%');
        const isCut = zone > 39;
        // The name of an interface may have more characters than Node's expression for addresses.
        if (zone >= 0 && !/^[\w.:-]+$/.test(text.slice(zone + 1))) return;
        expect(bytes !== undefined).toBe(isIP(text) !== 0 && !isCut);
        if (bytes && zone < 0) expect(isSame(text, bytes), text).toBe(true);
      }),
      { numRuns: 20_000, seed: 1 },
    );
  });

  test.each(['', '1.2.3', '1.2.3.4.5', '01.2.3.4', '0x7f.0.0.1', '2130706433', '1.2.3.256', '127.0.0.1\0', ' ::1'])(
    '%j is none',
    (text) => expect(addressBytes(text)).toBeUndefined(),
  );

  test('with a zone is none where the system would cut it', () => {
    const long = '0000:0000:0000:0000:0000:ffff:10.0.0.123';
    expect(addressBytes(long)).toHaveLength(16);
    expect(addressBytes(`${long}%lo`)).toBeUndefined();
    expect(addressBytes('fe80::1%lo')).toHaveLength(16);
  });
});

test.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/-1', '::/129', 'x/8', '10.0.0.0/8 '])(
  'the block %j is refused',
  (cidr) => expect(() => blockOf(cidr)).toThrow('is not a block of addresses'),
);

describe('the rule of components', () => {
  test('compares the port that the system uses', () => {
    const isRefused = refuses({ ownPorts: [3000] });
    for (const port of [3000, 3000 + 65_536, 3000 - 65_536, 3000.5])
      expect(isRefused('127.0.0.1', port), String(port)).toBe(true);
    expect(isRefused('127.0.0.1', 3001)).toBe(false);
  });

  test('refuses whatever is no address', () => {
    for (const text of ['localhost', '', '127.1']) expect(refuses({})(text, 80)).toBe(true);
  });

  test('allows an exception of the operator', () => {
    const isRefused = refuses({ allowPrivate: false, exceptions: ['127.0.0.1:8080'] });
    expect(isRefused('127.0.0.1', 8080)).toBe(false);
    expect(isRefused('127.0.0.1', 8081)).toBe(true);
  });
});
