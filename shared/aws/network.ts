import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { isRefusedPort, REFUSED_PORTS_TEXT } from '../domain/url.ts';

/** The addresses that functions of this stage may connect to on a user's behalf. */
export interface NetworkRule {
  /** Allows private, loopback, link-local and all other special addresses. */
  allowPrivate: boolean;
  /** CIDR blocks that are always allowed, e.g. `10.1.0.0/16`. */
  allowList: readonly string[];
}

/** Resolves a name to all of its addresses. */
export type Resolve = (
  hostname: string,
  options: { all: true; family?: number; hints?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Thrown before any packet is sent to the address. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly code = 'ERR_ADDRESS_REFUSED';
}

/** Globally routed addresses of cloud metadata services (Azure's wire server). */
const METADATA = ['168.63.129.16'];

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The only block of IPv6 from which public addresses are assigned. */
const [ASSIGNED_IPV6, ASSIGNED_BITS] = ipaddr.IPv6.parseCIDR('2000::/3');

/** ISATAP (RFC 5214): the last 32 bits are an IPv4 address, which a router may tunnel to. The mask leaves out the bits `u` and `g`. */
function isTunnel({ parts }: ipaddr.IPv6): boolean {
  const [, , , , first = 0, second = 0] = parts;
  return (first & 0xfcff) === 0 && second === 0x5efe;
}

/** The IANA special-purpose range of an address; `unicast` for ordinary internet addresses. */
function rangeOf(address: Address): string {
  if (METADATA.includes(address.toString())) return 'metadata';
  const range = address.range();
  if (range !== 'unicast' || address instanceof ipaddr.IPv4) return range;
  if (isTunnel(address)) return 'tunnel';
  return address.match(ASSIGNED_IPV6, ASSIGNED_BITS) ? range : 'reserved';
}

function parse(address: string): Address | undefined {
  return ipaddr.isValid(address) ? ipaddr.parse(address) : undefined;
}

/** Throws for an invalid CIDR block, so that a mistyped allow list stops the function at its start. */
function isInside(address: string, blocks: readonly string[]): boolean {
  const ranges = blocks.map((block) => ipaddr.parseCIDR(block));
  const parsed = parse(address);
  if (!parsed) return false;
  const forms: Address[] = [parsed];
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) forms.push(parsed.toIPv4Address());
  return forms.some((form) =>
    ranges.some(([block, bits]) => form.kind() === block.kind() && form.match(block, bits)),
  );
}

/**
 * Allows only ordinary unicast addresses. Tunnel and translation addresses (IPv4-mapped, 6to4, Teredo, NAT64, ISATAP …) are refused,
 * because they can contain a private address.
 */
export function isAllowed(address: string, rule: NetworkRule): boolean {
  if (rule.allowPrivate) return true;
  const parsed = parse(address);
  if (!parsed) return false;
  return rangeOf(parsed) === 'unicast' || isInside(address, rule.allowList);
}

function refusal(address: string, hostname: string): RefusedAddressError {
  const parsed = parse(address);
  const kind = parsed
    ? rangeOf(parsed).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : 'unreadable';
  const named = address === hostname ? address : `${hostname} (${address})`;
  return new RefusedAddressError(`${named} is a ${kind} address, and this service does not connect to those`);
}

/** Checks a literal address: Node does not call `lookup` for those. */
export function checkLiteral(hostname: string, rule: NetworkRule): RefusedAddressError | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0 || isAllowed(address, rule)) return undefined;
  return refusal(address, address);
}

/**
 * Resolves a name and checks the addresses that the socket connects to, so that DNS rebinding between check and connect is not possible.
 * One refused address refuses the name, because Node may try any of them. Forms such as `0x7f.1` arrive here as names and are resolved
 * to their address.
 */
export function checkedLookup(rule: NetworkRule, resolve: Resolve = systemLookup): LookupFunction {
  return (hostname, { all, family, hints }, done) => {
    const options = {
      ...(typeof family === 'number' ? { family } : {}),
      ...(hints === undefined ? {} : { hints }),
    };
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const refused = addresses.find(({ address }) => !isAllowed(address, rule));
      if (refused) return done(refusal(refused.address, hostname), []);
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
  isInside('0.0.0.0', rule.allowList);
  const connect = buildConnector({ ...options, lookup: checkedLookup(rule, resolve) });
  return (target, done) => {
    const refused = checkPort(target.hostname, target.port) ?? checkLiteral(target.hostname, rule);
    if (refused) return done(refused, null);
    connect(target, done);
  };
}
