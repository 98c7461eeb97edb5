import { BlockList, isIP, SocketAddress } from 'node:net';

/**
 * Gives the address of a request's client: of the peer, or behind trusted proxies what they say in `X-Forwarded-For`.
 */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

/**
 * The entries of `X-Forwarded-For` are read from the end, where the nearest proxy wrote. The first untrusted address is
 * the client: what stands before it may be forged. An entry that is no address ends the walk.
 */
export function clientAddressBehind(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) =>
    trustedProxies.length > 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (peer = '', forwardedFor) => {
    let client = peer.replace(MAPPED, '');
    if (forwardedFor === undefined || isIP(client) === 0 || !isTrusted(client)) return client;
    for (const entry of forwardedFor.split(',').reverse()) {
      const address = addressOf(entry.trim());
      if (address === undefined) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client;
  };
}

/** An IPv4 address mapped into IPv6, as sockets of both families show their peers. */
const MAPPED = /^::ffff:(?=[\d.]+$)/;

/** Forms with a port: `192.0.2.1:80`, `[2001:db8::1]:80`; an IPv6 address in brackets may lack it. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

function addressOf(entry: string): string | undefined {
  const [, ipv4, ipv6] = WITH_PORT.exec(entry) ?? [];
  const address = ipv4 ?? ipv6 ?? entry;
  // A zone is no part of an address.
  if (address.includes('%')) return undefined;
  if (isIP(address) === 4) return address;
  if (isIP(address) === 0) return undefined;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(MAPPED, '');
}
