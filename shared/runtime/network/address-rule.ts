/* oxlint-disable typescript/prefer-for-of -- `for` … `of` calls the iterator of arrays, which can be replaced */
import { addressRefusal, readRule } from '../../domain/network/network-rule.ts';
import { addressBytes, blockOf } from './address-bytes.ts';

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

/** True for an address that must not be connected to. */
export type Refuses = (address: string, port: number) => boolean;

/**
 * The rule as a function over an address in any form and a port; it refuses every other text. A component can patch
 * every builtin: the function calls none, and reads own properties only.
 */
export function refusesBy({ ownAddresses, exceptions, ...network }: AddressRule): Refuses {
  const rule = readRule(network, ownAddresses, blockOf);
  const allowed = [...exceptions];
  return (address, port) => {
    const bytes = addressBytes(address);
    if (bytes === undefined) return true;
    const target = `${address}:${port}`;
    for (let index = 0; index < allowed.length; index += 1) if (allowed[index] === target) return false;
    // The system takes the lowest 16 bits of a port.
    return addressRefusal(bytes, port & 0xffff, rule) !== undefined;
  };
}
