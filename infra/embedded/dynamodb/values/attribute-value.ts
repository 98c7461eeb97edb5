import { AwsError } from '../../call.ts';
import { has } from './compare.ts';
import { validationException } from '../../common-errors.ts';
import { invalidParameter } from '../errors.ts';
import { numberText, parseNumber } from './number.ts';
import { typeOf, type Attributes, type Value, type ValueSet } from './value.ts';
import { setOwn } from '../../own-member.ts';

/** A value in DynamoDB's typed JSON: `{ "S": "text" }`, numbers as text, binary as base64. */
type Typed = Record<string, unknown>;

/** The form of bytes: base64 in JSON, bytes for an SDK's caller. */
type Binary = (bytes: Uint8Array) => unknown;

export function encodeAttributes(item: Attributes, binary: Binary = base64): Record<string, Typed> {
  const encoded: Record<string, Typed> = {};
  for (const name of Object.keys(item)) setOwn(encoded, name, encodeValue(item[name] as Value, binary));
  return encoded;
}

/** An item in an error stays typed, because lib-dynamodb does not translate errors. */
export function itemOfError(item: Attributes): Record<string, Typed> {
  return encodeAttributes(item, (bytes) => bytes.slice());
}

function encodeValue(value: Value, binary: Binary): Typed {
  const type = typeOf(value);
  switch (type) {
    case 'NULL':
      return { NULL: true };
    case 'N':
      return { N: numberText(value as number) };
    case 'B':
      return { B: binary(value as Uint8Array) };
    case 'L':
      return { L: (value as Value[]).map((member) => encodeValue(member, binary)) };
    case 'M':
      return { M: encodeAttributes(value as Attributes, binary) };
    case 'SS':
      return { SS: [...(value as Set<string>)] };
    case 'NS':
      return { NS: [...(value as Set<number>)].map(numberText) };
    case 'BS':
      return { BS: [...(value as Set<Uint8Array>)].map(binary) };
    default:
      return { [type]: value };
  }
}

export function decodeAttributes(typed: Record<string, unknown>): Attributes {
  const item: Attributes = {};
  for (const name of Object.keys(typed)) setOwn(item, name, decodeValue(typed[name]));
  return item;
}

function decodeValue(typed: unknown): Value {
  if (typeof typed !== 'object' || typed === null || Array.isArray(typed)) {
    throw new AwsError('SerializationException', 'Unexpected value type in payload');
  }
  const entries = Object.entries(typed).filter(([, value]) => value !== undefined && value !== null);
  if (entries.length > 1) {
    throw validationException(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  const [type, value] = entries[0] ?? [];
  switch (type) {
    case 'S':
    case 'BOOL':
      return value as string | boolean;
    case 'N':
      return parseNumber(String(value));
    case 'B':
      return bytes(String(value));
    case 'NULL':
      if (value !== true) throw invalidParameter('Null attribute value types must have the value of true');
      return null;
    case 'L':
      return (value as unknown[]).map(decodeValue);
    case 'M':
      return decodeAttributes(value as Record<string, unknown>);
    case 'SS':
      return decodeSet(value as string[], 'An string set  may not be empty', (text) => text);
    case 'NS':
      return decodeSet(value as string[], 'An number set  may not be empty', parseNumber);
    case 'BS':
      return decodeSet(value as string[], 'Binary sets should not be empty', bytes);
    default:
      throw validationException(
        'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
      );
  }
}

function decodeSet(members: readonly string[], whenEmpty: string, decode: (text: string) => Value): ValueSet {
  if (members.length === 0) throw invalidParameter(whenEmpty);
  const set = new Set<unknown>();
  for (const member of members) {
    const value = decode(member);
    if (has(set, value)) throw invalidParameter(`Input collection [${members.join(', ')}] contains duplicates.`);
    set.add(value);
  }
  return set as ValueSet;
}

function base64(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
