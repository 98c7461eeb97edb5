import { AwsError } from '../../call.ts';
import { validationException } from '../../common-errors.ts';
import { invalidParameter } from '../errors.ts';
import { typeOf, type Attributes, type Value } from './value.ts';
import { setOwn } from '../../own-member.ts';

/** A value in DynamoDB's typed JSON: `{ "S": "text" }`, numbers as text, binary as base64. */
type Typed = Record<string, unknown>;

export function encodeAttributes(item: Attributes): Record<string, Typed> {
  const encoded: Record<string, Typed> = {};
  for (const name of Object.keys(item)) setOwn(encoded, name, encodeValue(item[name] as Value));
  return encoded;
}

function encodeValue(value: Value): Typed {
  const type = typeOf(value);
  switch (type) {
    case 'NULL':
      return { NULL: true };
    case 'N':
      return { N: String(value) };
    case 'B':
      return { B: base64(value as Uint8Array) };
    case 'L':
      return { L: (value as Value[]).map(encodeValue) };
    case 'M':
      return { M: encodeAttributes(value as Attributes) };
    case 'SS':
      return { SS: [...(value as Set<string>)] };
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
      return Number(value);
    case 'B':
      return new Uint8Array(Buffer.from(String(value), 'base64'));
    case 'NULL':
      if (value !== true) throw invalidParameter('Null attribute value types must have the value of true');
      return null;
    case 'L':
      return (value as unknown[]).map(decodeValue);
    case 'M':
      return decodeAttributes(value as Record<string, unknown>);
    case 'SS':
      return new Set(value as string[]);
    default:
      throw validationException(
        'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
      );
  }
}

function base64(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}
