import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';

/** Which addresses this stage's functions may connect to on a user's behalf. */
export interface NetworkRule {
  /** Private, loopback, link-local and all other special addresses too. */
  allowPrivate: boolean;
  /** CIDR blocks that are allowed whatever they are, e.g. `10.1.0.0/16`. */
  allowList: readonly string[];
}

/** Resolves one name to all of its addresses; Node's own unless a caller hands in another. */
export type Resolve = (
  hostname: string,
  options: { all: true; family?: number; hints?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A connection was refused before a packet was sent. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  readonly code = 'ERR_ADDRESS_REFUSED';
}

/** Globally routed, yet the way to a cloud host's metadata (Azure's wire server). */
const METADATA = ['168.63.129.16'];

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** What an address is, in IANA's special-purpose terms: `unicast` is the ordinary internet. */
function rangeOf(address: Address): string {
  return METADATA.includes(address.toString()) ? 'metadata' : address.range();
}

function parse(address: string): Address | undefined {
  return ipaddr.isValid(address) ? ipaddr.parse(address) : undefined;
}

/** Throws on a block that is no CIDR, so that a mistyped allow list stops the function at its start. */
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
 * Only ordinary unicast passes: every tunnel and translation range (IPv4-mapped, 6to4, Teredo, NAT64 …) can name a private
 * address, so none of them is looked into.
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

/** Refuses an address written as such; Node asks no lookup about those. */
export function checkLiteral(hostname: string, rule: NetworkRule): RefusedAddressError | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0 || isAllowed(address, rule)) return undefined;
  return refusal(address, address);
}

/**
 * The one resolution of an attempt: what it hands to the socket has been checked, so a name cannot answer differently a moment later.
 * One refused address refuses the name, since Node may try any of them. Forms such as `0x7f.1` come here as names and are resolved
 * to the address they mean.
 */
export function checkedLookup(rule: NetworkRule, resolve: Resolve = systemLookup): LookupFunction {
  return (hostname, { all, family, hints }, done) => {
    const asked = {
      ...(typeof family === 'number' ? { family } : {}),
      ...(hints === undefined ? {} : { hints }),
    };
    resolve(hostname, { ...asked, all: true }, (error, addresses) => {
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

/** For `new Agent({ connect: connector(rule) })`: every connection of that agent keeps to the rule. */
export function connector(
  rule: NetworkRule,
  { resolve, ...options }: buildConnector.BuildOptions & { resolve?: Resolve } = {},
): buildConnector.connector {
  isInside('0.0.0.0', rule.allowList);
  const connect = buildConnector({ ...options, lookup: checkedLookup(rule, resolve) });
  return (target, done) => {
    const refused = checkLiteral(target.hostname, rule);
    if (refused) return done(refused, null);
    connect(target, done);
  };
}
