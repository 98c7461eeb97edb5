import ipaddr from 'ipaddr.js';
import type { Scalar } from './json-value.ts';
import type { Position } from './position.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Texts that are an IPv4 or IPv6 address in a CIDR block. An IPv4 address mapped into IPv6 counts as IPv4. */
export function cidrTest(argument: unknown, position: Position): (value: Scalar) => boolean {
  const block = typeof argument === 'string' ? blockOf(argument) : undefined;
  if (!block) return position.refuse('must be a CIDR block such as 10.0.0.0/24 or 2001:db8::/32');
  const [network, bits] = block;
  return (value) => {
    const address = typeof value === 'string' ? addressOf(value) : undefined;
    return address?.kind() === network.kind() && address.match(network, bits);
  };
}

function blockOf(text: string): [Address, number] | undefined {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return ipaddr.IPv4.parseCIDR(text);
  if (!ipaddr.IPv6.isValidCIDR(text)) return undefined;
  const [network, bits] = ipaddr.IPv6.parseCIDR(text);
  return network.isIPv4MappedAddress() && bits >= 96 ? [network.toIPv4Address(), bits - 96] : [network, bits];
}

/** The longest text of an address is shorter; longer texts are not examined. */
const LONGEST_ADDRESS = 64;

/** The address that was parsed last: the filters of many subscriptions look at the same one. */
let last: { text: string; address: Address | undefined } | undefined;

function addressOf(text: string): Address | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined;
  if (last?.text !== text) last = { text, address: parsedAddress(text) };
  return last.address;
}

function parsedAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}
