import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import {
  type AddressBlock,
  type AddressRefusal,
  addressRefusal,
  type NetworkRule,
  readRule,
} from '../domain/network/network-rule.ts';
import { systemNames } from '../dns/resolve-names.ts';
import { isRefusedPort, REFUSED_PORTS_TEXT } from '../domain/url.ts';

/** Resolves a name to all of its addresses. */
export type Resolve = (
  hostname: string,
  options: { all: true; family?: number; hints?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Ports whose connectors are kept, with their TLS sessions. */
const MAX_CONNECTORS = 256;

/** Thrown before any packet is sent to the address. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly code = 'ERR_ADDRESS_REFUSED';
}

export type AddressCheck = ReturnType<typeof addressCheckOf>;

/** Addresses of this machine may change. */
const OWN_ADDRESSES_MS = 10_000;

/**
 * Allows only ordinary unicast addresses. Tunnel and translation addresses (IPv4-mapped, 6to4, Teredo, NAT64, ISATAP …)
 * are refused, because they can contain a private address. Throws for an invalid CIDR block, so that a mistyped allow
 * list stops the function at its start.
 */
export function addressCheckOf(rule: NetworkRule) {
  // The addresses of this machine matter only where the service has ports on it.
  const hasPorts = [rule.ownPorts, rule.openPorts].some((ports) => ports !== undefined && ports.length > 0);
  let read = readRule(rule, [], blockOf);
  let readAt = -Infinity;
  const current = () => {
    const now = performance.now();
    if (!hasPorts || now - readAt < OWN_ADDRESSES_MS) return read;
    read = readRule(rule, ownAddresses(), blockOf);
    readAt = now;
    return read;
  };
  return {
    rule,
    /** Undefined if the address may be connected to. `hostname` is the name that has the address. */
    check(address: string, port: number, hostname: string = address): RefusedAddressError | undefined {
      const parsed = parse(address);
      const refusal = parsed ? addressRefusal(parsed.toByteArray(), port, current()) : 'unreadable';
      return refusal && refusedError(refusal, { address, port, hostname, parsed });
    },
  };
}

/** Addresses of this machine, without the zone of link-local ones. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address.replace(/%.*$/, '')));

function blockOf(cidr: string): AddressBlock {
  const [address, bits] = ipaddr.parseCIDR(cidr);
  return { bytes: address.toByteArray(), bits };
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(address) ? ipaddr.parse(address) : undefined;
}

function refusedError(
  refusal: AddressRefusal | 'unreadable',
  {
    address,
    port,
    hostname,
    parsed,
  }: { address: string; port: number; hostname: string; parsed: ReturnType<typeof parse> },
): RefusedAddressError {
  const named = address === hostname ? address : `${hostname} (${address})`;
  if (refusal === 'own_port')
    return new RefusedAddressError(
      `${named} has port ${port} of this service, and it does not connect to itself but for its endpoints`,
    );
  const kind = refusal === 'special' && parsed ? rangeName(parsed) : refusal;
  return new RefusedAddressError(`${named} is a ${kind} address, and this service does not connect to those`);
}

/** The IANA special-purpose range of a special address. */
function rangeName(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  return range === 'unicast' ? 'reserved' : range.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Checks a literal address: Node does not call `lookup` for those. */
export function checkLiteral(hostname: string, port: number, addresses: AddressCheck): RefusedAddressError | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : addresses.check(address, port);
}

/**
 * Resolves a name and checks the addresses that the socket connects to, so that DNS rebinding between check and connect
 * is not possible. One refused address refuses the name, because Node may try any of them. Forms such as `0x7f.1`
 * arrive here as names and are resolved to their address.
 */
export function checkedLookup(
  addressCheck: AddressCheck,
  port: number,
  resolve: Resolve = systemNames.lookup,
): LookupFunction {
  return (hostname, { all, family, hints }, done) => {
    const options = {
      ...(typeof family === 'number' ? { family } : {}),
      ...(hints === undefined ? {} : { hints }),
    };
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      for (const { address } of addresses) {
        const refused = addressCheck.check(address, port, hostname);
        if (refused) return done(refused, []);
      }
      const [first] = addresses;
      if (!first) return done(new Error(`${hostname} has no address`), []);
      if (all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** Mail servers and remote logins are no receivers of webhooks, wherever they are. */
function checkPort(hostname: string, port: string): RefusedAddressError | undefined {
  if (!isRefusedPort(port)) return undefined;
  return new RefusedAddressError(
    `${hostname} has port ${port}, and this service does not connect to ${REFUSED_PORTS_TEXT}`,
  );
}

/** For `new Agent({ connect: connector(rule) })`: checks every connection of that agent. */
export function connector(
  rule: NetworkRule,
  { resolve, ...options }: buildConnector.BuildOptions & { resolve?: Resolve } = {},
): buildConnector.connector {
  const addresses = addressCheckOf(rule);
  const connectors = new Map<number, buildConnector.connector>();
  /** undici has one set of options for all targets, and the port is a part of the check. */
  const connectorOf = (port: number) => {
    const connect =
      connectors.get(port) ?? buildConnector({ ...options, lookup: checkedLookup(addresses, port, resolve) });
    if (connectors.size < MAX_CONNECTORS) connectors.set(port, connect);
    return connect;
  };
  return (target, done) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    const refused = checkPort(target.hostname, target.port) ?? checkLiteral(target.hostname, port, addresses);
    if (refused) return done(refused, null);
    connectorOf(port)(target, (...result) => {
      const [, socket] = result;
      socket?.on('error', (error: NodeJS.ErrnoException) => {
        // An alert after the handshake is followed by the end of the connection, which would replace it as the reason.
        if (error.code?.startsWith('ERR_SSL_')) socket.destroy(error);
      });
      done(...result);
    });
  };
}
