import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { badDigest, invalidDigest, invalidRequest } from './errors.ts';

/**
 * The checksums of S3: https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 * CRC64NVME is not supported: no SDK sends it without an extra package.
 */
export type Algorithm = 'CRC32' | 'CRC32C' | 'SHA1' | 'SHA256' | 'Content-MD5';

export const checksumAlgorithms = ['CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const;

/** Checksums in base64, by algorithm. */
export type Expected = Partial<Record<Algorithm, string>>;

const DIGEST_BYTES: Record<Algorithm, number> = {
  CRC32: 4,
  CRC32C: 4,
  SHA1: 20,
  SHA256: 32,
  'Content-MD5': 16,
};

/** Calculates checksums over the chunks of a body. */
export class Digests {
  readonly #sums = new Map<Algorithm, { update(chunk: Uint8Array): void; base64(): string }>();

  constructor(algorithms: Iterable<Algorithm>) {
    for (const algorithm of algorithms) if (!this.#sums.has(algorithm)) this.#sums.set(algorithm, sums[algorithm]());
  }

  update(chunk: Uint8Array): void {
    for (const sum of this.#sums.values()) sum.update(chunk);
  }

  /** Returns the checksums. Call it once, after the last chunk. */
  finish(): Expected {
    return Object.fromEntries([...this.#sums].map(([algorithm, sum]) => [algorithm, sum.base64()]));
  }
}

/** Refuses malformed checksums before the body is read. */
export function checkForm(expected: Expected): void {
  for (const [name, value] of Object.entries(expected)) {
    const algorithm = name as Algorithm;
    const bytes = Buffer.from(value, 'base64');
    if (bytes.length === DIGEST_BYTES[algorithm] && bytes.toString('base64') === value) continue;
    if (algorithm === 'Content-MD5') throw invalidDigest();
    throw invalidRequest(`Value for x-amz-checksum-${algorithm.toLowerCase()} header is invalid.`);
  }
}

export function checkDigests(expected: Expected, found: Expected): void {
  for (const [name, value] of Object.entries(expected)) {
    if (found[name as Algorithm] !== value) throw badDigest(name);
  }
}

const hashed = (name: string) => () => {
  const hash: Hash = createHash(name);
  return {
    update: (chunk: Uint8Array) => {
      hash.update(chunk);
    },
    base64: () => hash.digest('base64'),
  };
};

const rolling = (step: (chunk: Uint8Array, before: number) => number) => () => {
  let value = 0;
  return {
    update: (chunk: Uint8Array) => {
      value = step(chunk, value);
    },
    base64: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value >>> 0);
      return bytes.toString('base64');
    },
  };
};

/** Castagnoli's polynomial, reflected. */
const CRC32C_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value >>> 0;
});

function crc32c(chunk: Uint8Array, before: number): number {
  let value = ~before >>> 0;
  for (const byte of chunk) value = (value >>> 8) ^ (CRC32C_TABLE[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}

const sums: Record<Algorithm, () => { update(chunk: Uint8Array): void; base64(): string }> = {
  CRC32: rolling((chunk, before) => crc32(chunk, before)),
  CRC32C: rolling(crc32c),
  SHA1: hashed('sha1'),
  SHA256: hashed('sha256'),
  'Content-MD5': hashed('md5'),
};
