import { BlockList, isIP, SocketAddress } from 'node:net';
import {
  GLOBAL_BLOCK,
  LOOPBACK_BLOCKS,
  METADATA_BLOCKS,
  SPECIAL_BLOCKS,
} from '../../domain/address-blocks.ts';

/** Addresses that component code may connect to. */
export interface AddressRule {
  /** Allows private, loopback, link-local and all other special addresses. */
  allowPrivate: boolean;
  /** CIDR blocks that are always allowed. */
  allowList: readonly string[];
  /** Ports of the service, refused at every address of this machine. */
  ownPorts: readonly number[];
  /** Ports of its ingress, allowed at every address of this machine. */
  openPorts: readonly number[];
  /** Addresses of this machine besides the loopback ones. */
  ownAddresses: readonly string[];
  /** `address:port` of the operator's own choice, always allowed. */
  exceptions: readonly string[];
}

/** Link-local addresses in the IPv6 forms that contain one. */
const CARRIED_METADATA = ['::a9fe:0/112', '::ffff:0:a9fe:0/112', '64:ff9b::a9fe:0/112', '2002:a9fe::/32'];

/** This machine, in all IPv6 forms. */
const LOCAL = [
  '127.0.0.0/8',
  '0.0.0.0/8',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::7f00:0/104',
  '2002:7f00::/24',
];

/** Captured before user code can replace them. The guards call only these. */
const { apply } = Reflect;
const { check } = BlockList.prototype;
const familyOf = isIP;
const Address = SocketAddress;
const includes = Array.prototype.includes;

/** Adds CIDR blocks. Throws for an invalid one. `isIP` would compile the expression for IPv6: 4 ms at the start of every process. */
function blocks(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits = ''] = cidr.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** True for an address that must not be connected to. */
export type Refuses = (address: string, port: number) => boolean;

/**
 * The rule as a function over an address in any form and a port. It uses nothing that component code can patch, and refuses whatever
 * is not an address.
 */
export function refusesBy(rule: AddressRule): Refuses {
  const own = rule.ownAddresses.map((address) => `${address}/${address.includes(':') ? 128 : 32}`);
  const metadata = blocks([...METADATA_BLOCKS, ...CARRIED_METADATA]);
  const local = blocks([...LOCAL, ...own]);
  const itself = blocks([...LOOPBACK_BLOCKS, ...own]);
  const special = blocks(SPECIAL_BLOCKS);
  const global = blocks([GLOBAL_BLOCK]);
  const allowed = blocks(rule.allowList);
  const ports = [...rule.ownPorts];
  const openPorts = [...rule.openPorts];
  const exceptions = [...rule.exceptions];
  const isRefused: Refuses = (address, port) => {
    const isV6 = familyOf(address) === 6;
    const found = parsed(address, isV6 ? 'ipv6' : 'ipv4');
    if (apply(includes, exceptions, [`${address}:${port}`])) return false;
    if (isIn(metadata, found)) return true;
    if (apply(includes, ports, [port]) && isIn(local, found)) return true;
    if (rule.allowPrivate || isIn(allowed, found)) return false;
    if (apply(includes, openPorts, [port]) && isIn(itself, found)) return false;
    return isIn(special, found) || (isV6 && (!isIn(global, found) || isIsatap(address)));
  };
  return (address, port) => {
    try {
      return isRefused(address, port);
    } catch {
      // Component code can make the check fail, and must gain nothing by it.
      return true;
    }
  };
}

const isIn = (list: BlockList, address: SocketAddress): boolean => apply(check, list, [address]);

/** Throws for anything but an address. All options are given: a component can put getters for the others into `Object.prototype`. */
const parsed = (address: string, family: 'ipv4' | 'ipv6'): SocketAddress =>
  new Address({ address, family, port: 0, flowlabel: 0 });

const { exec } = RegExp.prototype;
const ISATAP = /:0{0,3}[02]?0{0,2}:0{0,3}5efe:/i;

/** Interface ids that contain an IPv4 address (RFC 5214). */
const isIsatap = (address: string): boolean => apply(exec, ISATAP, [address]) !== null;
