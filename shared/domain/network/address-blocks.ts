/*
 * Blocks of IP addresses as data. Every rule about addresses uses these lists: webhooks, downloads, and the guards and
 * the gateway of components.
 */

/**
 * Metadata services of clouds: link-local addresses, Azure's wire server, Alibaba's, Oracle's, Amazon's and Google's.
 */
export const METADATA_BLOCKS: readonly string[] = [
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
];

/** Addresses that a system sends to itself. */
export const LOOPBACK_BLOCKS: readonly string[] = ['127.0.0.0/8', '0.0.0.0/8', '::/128', '::1/128'];

/**
 * https://www.iana.org/assignments/iana-ipv4-special-registry, multicast, and the special ranges of {@link
 * GLOBAL_BLOCK}: https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export const SPECIAL_BLOCKS: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16/32',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
];

/** The only block of IPv6 from which public addresses are assigned. */
export const GLOBAL_BLOCK = '2000::/3';

/** A form of IPv6 address that contains an IPv4 address, which a system or a router may connect to instead. */
export interface CarrierForm {
  /** Position of the bytes by which the form is known. */
  readonly from: number;
  readonly bytes: readonly number[];
  /** Positions of the four bytes of the IPv4 address. */
  readonly at: readonly [number, number, number, number];
  /** XOR of each of the four bytes. */
  readonly mask?: number;
}

const LAST = [12, 13, 14, 15] as const;
const LOCAL_NAT64 = [0, 0x64, 0xff, 0x9b, 0, 1];
const TEREDO = [0x20, 0x01, 0, 0];

/** IPv4-mapped: the system connects to the IPv4 address itself. */
export const MAPPED_FORM: CarrierForm = {
  from: 0,
  bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
  at: LAST,
};

export const CARRIER_FORMS: readonly CarrierForm[] = [
  MAPPED_FORM,
  // IPv4-compatible (RFC 4291) and IPv4-translated (RFC 2765).
  { from: 0, bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], at: LAST },
  { from: 0, bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0], at: LAST },
  // NAT64 (RFC 6052), and its local block (RFC 8215) with every length of prefix that it allows.
  { from: 0, bytes: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], at: LAST },
  { from: 0, bytes: LOCAL_NAT64, at: [6, 7, 9, 10] },
  { from: 0, bytes: LOCAL_NAT64, at: [7, 9, 10, 11] },
  { from: 0, bytes: LOCAL_NAT64, at: [9, 10, 11, 12] },
  { from: 0, bytes: LOCAL_NAT64, at: LAST },
  // 6to4 (RFC 3056).
  { from: 0, bytes: [0x20, 0x02], at: [2, 3, 4, 5] },
  // Teredo (RFC 4380): the server, and the client in inverted bits.
  { from: 0, bytes: TEREDO, at: [4, 5, 6, 7] },
  { from: 0, bytes: TEREDO, at: LAST, mask: 0xff },
  // ISATAP (RFC 5214), with each value of the bits `u` and `g`.
  { from: 8, bytes: [0, 0, 0x5e, 0xfe], at: LAST },
  { from: 8, bytes: [1, 0, 0x5e, 0xfe], at: LAST },
  { from: 8, bytes: [2, 0, 0x5e, 0xfe], at: LAST },
  { from: 8, bytes: [3, 0, 0x5e, 0xfe], at: LAST },
];
