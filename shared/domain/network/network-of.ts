import ipaddr from 'ipaddr.js';

/** Groups of 16 bits in the half of an IPv6 address that names its network. */
const NETWORK_GROUPS = 4;

/**
 * The client of an address, for limits per client: the IPv4 address itself, or the first 64 bits of an IPv6 address,
 * because a machine may use every address below them. A text that is no address stays as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
