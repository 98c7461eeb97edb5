import {
  CARRIER_FORMS,
  type CarrierForm,
  GLOBAL_BLOCK,
  LOOPBACK_BLOCKS,
  MAPPED_FORM,
  METADATA_BLOCKS,
  SPECIAL_BLOCKS,
} from './address-blocks.ts';

/** The addresses that the service and its components may connect to on a user's behalf. */
export interface NetworkRule {
  /** Allows private, loopback, link-local and all other special addresses. */
  readonly allowPrivate: boolean;
  /** CIDR blocks that stay allowed, e.g. `10.1.0.0/16`. */
  readonly allowList: readonly string[];
  /** Ports of the service, refused at every address of this machine. */
  readonly ownPorts?: readonly number[] | undefined;
  /** Ports of its ingress, allowed at every address of this machine. */
  readonly openPorts?: readonly number[] | undefined;
}

/** The 4 or 16 bytes of an address. */
export type AddressBytes = readonly number[];

export interface AddressBlock {
  readonly bytes: AddressBytes;
  readonly bits: number;
}

/** A {@link NetworkRule} in the form in which addresses are compared. */
export interface ReadRule {
  readonly allowPrivate: boolean;
  readonly allowed: readonly AddressBlock[];
  readonly ownPorts: readonly number[];
  readonly openPorts: readonly number[];
  /** Addresses of this machine. */
  readonly local: readonly AddressBlock[];
  readonly metadata: readonly AddressBlock[];
  readonly special: readonly AddressBlock[];
  readonly global: readonly AddressBlock[];
}

/** `metadata` and `own_port` are refused whatever the settings allow. */
export type AddressRefusal = 'metadata' | 'own_port' | 'special';

/**
 * `ownAddresses` are those of this machine besides the loopback ones. `blockOf` parses `address/bits`, and throws for
 * any other text.
 */
export function readRule(
  { allowPrivate, allowList, ownPorts = [], openPorts = [] }: NetworkRule,
  ownAddresses: readonly string[],
  blockOf: (cidr: string) => AddressBlock,
): ReadRule {
  const own = ownAddresses.map((address) => `${address}/${address.includes(':') ? 128 : 32}`);
  return {
    allowPrivate,
    allowed: allowList.map(blockOf),
    ownPorts: [...ownPorts],
    openPorts: [...openPorts],
    local: [...LOOPBACK_BLOCKS, ...own].map(blockOf),
    metadata: METADATA_BLOCKS.map(blockOf),
    special: SPECIAL_BLOCKS.map(blockOf),
    global: [blockOf(GLOBAL_BLOCK)],
  };
}

/*
 * The functions below only read elements and calculate. They call no function of the language, so that code beside them
 * cannot change their responses by replacing one.
 */
/* oxlint-disable typescript/prefer-for-of -- `for` … `of` calls the iterator of arrays, which can be replaced */

/** Why an address must not be connected to; undefined if it may. */
export function addressRefusal(bytes: AddressBytes, port: number, rule: ReadRule): AddressRefusal | undefined {
  if (isInAnyForm(bytes, rule.metadata)) return 'metadata';
  if (holds(rule.ownPorts, port) && isInAnyForm(bytes, rule.local)) return 'own_port';
  if (rule.allowPrivate) return undefined;
  if (holds(rule.openPorts, port) && isInItself(bytes, rule.local)) return undefined;
  if (isInItself(bytes, rule.allowed)) return undefined;
  return isSpecial(bytes, rule) ? 'special' : undefined;
}

function isSpecial(bytes: AddressBytes, rule: ReadRule): boolean {
  if (isInAny(bytes, rule.special)) return true;
  if (bytes.length === 4) return false;
  for (let index = 0; index < CARRIER_FORMS.length; index += 1) {
    const form = CARRIER_FORMS[index];
    if (form && hasForm(bytes, form)) return true;
  }
  return !isInAny(bytes, rule.global);
}

/** The address, or an IPv4 address that it contains in any form. */
function isInAnyForm(bytes: AddressBytes, blocks: readonly AddressBlock[]): boolean {
  if (isInAny(bytes, blocks)) return true;
  if (bytes.length !== 16) return false;
  for (let index = 0; index < CARRIER_FORMS.length; index += 1) {
    const form = CARRIER_FORMS[index];
    if (form && hasForm(bytes, form) && isInAny(carried(bytes, form), blocks)) return true;
  }
  return false;
}

/** The address that the system connects to. */
function isInItself(bytes: AddressBytes, blocks: readonly AddressBlock[]): boolean {
  if (isInAny(bytes, blocks)) return true;
  return bytes.length === 16 && hasForm(bytes, MAPPED_FORM) && isInAny(carried(bytes, MAPPED_FORM), blocks);
}

function hasForm(bytes: AddressBytes, { from, bytes: known }: CarrierForm): boolean {
  for (let index = 0; index < known.length; index += 1) {
    if (bytes[from + index] !== known[index]) return false;
  }
  return true;
}

function carried(bytes: AddressBytes, { at, mask = 0 }: CarrierForm): AddressBytes {
  return [
    (bytes[at[0]] ?? 0) ^ mask,
    (bytes[at[1]] ?? 0) ^ mask,
    (bytes[at[2]] ?? 0) ^ mask,
    (bytes[at[3]] ?? 0) ^ mask,
  ];
}

function isInAny(bytes: AddressBytes, blocks: readonly AddressBlock[]): boolean {
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block && isIn(bytes, block)) return true;
  }
  return false;
}

function isIn(bytes: AddressBytes, block: AddressBlock): boolean {
  if (bytes.length !== block.bytes.length) return false;
  for (let index = 0, left = block.bits; left > 0; index += 1, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if ((((bytes[index] ?? 0) ^ (block.bytes[index] ?? 0)) & mask) !== 0) return false;
  }
  return true;
}

function holds(ports: readonly number[], port: number): boolean {
  for (let index = 0; index < ports.length; index += 1) {
    if (ports[index] === port) return true;
  }
  return false;
}
