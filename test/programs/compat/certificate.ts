import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/**
 * A certificate as a stand-in needs one: made on the spot, for these names, its own authority (RFC 5280, DER by hand).
 */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13];
const ALTERNATIVE_NAMES = [0x55, 0x1d, 0x11];

export function selfSigned(names: readonly string[]): Certificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid(COMMON_NAME), der(0x0c, Buffer.from('stand-ins')))));
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKeyOf(privateKey),
    der(0xa3, sequence(extension(BASIC_CONSTRAINTS, sequence(TRUE)), alternativeNames(names))),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const TRUE = der(0x01, Buffer.from([0xff]));
const sequence = (...parts: Uint8Array[]) => der(0x30, Buffer.concat(parts));
const set = (...parts: Uint8Array[]) => der(0x31, Buffer.concat(parts));
const oid = (bytes: number[]) => der(0x06, Buffer.from(bytes));
const integer = (bytes: Uint8Array) => der(0x02, bytes);
const time = (at: number) => der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
const extension = (id: number[], value: Uint8Array) => sequence(oid(id), der(0x04, value));
const alternativeNames = (names: readonly string[]) =>
  extension(ALTERNATIVE_NAMES, sequence(...names.map((name) => der(0x82, Buffer.from(name)))));
const publicKeyOf = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' });
