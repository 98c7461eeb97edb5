import { validationException } from '../common-errors.ts';
import { checkNumber, numberSize, type Numeric } from './number.ts';

/** A value as lib-dynamodb's document client returns it. */
export type Value =
  | string
  | Numeric
  | boolean
  | null
  | Uint8Array
  | ValueSet
  | Value[]
  | { [name: string]: Value };
export type ValueSet = Set<string> | Set<Numeric> | Set<Uint8Array>;
export type Attributes = Record<string, Value>;
export type ValueType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS' | 'NS' | 'BS';

export function typeOf(value: Value): ValueType {
  switch (typeof value) {
    case 'string':
      return 'S';
    case 'number':
    case 'bigint':
      return 'N';
    case 'boolean':
      return 'BOOL';
  }
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Uint8Array) return 'B';
  return value instanceof Set ? typeOfSet(value) : 'M';
}

export function typeOfSet(set: ValueSet): 'SS' | 'NS' | 'BS' {
  const [first] = set;
  return typeof first === 'string' ? 'SS' : first instanceof Uint8Array ? 'BS' : 'NS';
}

export function isMap(value: Value | undefined): value is Record<string, Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !(value instanceof Set)
  );
}

/** Reads an attribute. `constructor`, `toString` and `__proto__` are ordinary names. */
export function attribute(holder: Attributes, name: string): Value | undefined {
  if (name === '__proto__') return Object.hasOwn(holder, name) ? holder[name] : undefined;
  const value: unknown = holder[name];
  return typeof value === 'function' ? undefined : (value as Value | undefined);
}

export function setAttribute(holder: Attributes, name: string, value: Value): void {
  if (name === '__proto__') {
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
  } else holder[name] = value;
}

/** Up to this length a loop is faster than Buffer.byteLength. */
const SHORT_TEXT = 40;

export function textSize(text: string): number {
  const { length } = text;
  if (length > SHORT_TEXT) return Buffer.byteLength(text);
  for (let i = 0; i < length; i += 1) if (text.charCodeAt(i) > 127) return Buffer.byteLength(text);
  return length;
}

const LIST_OR_MAP_OVERHEAD = 3;

export function valueSize(value: Value): number {
  if (typeof value === 'string') return textSize(value);
  if (typeof value === 'number' || typeof value === 'bigint') return numberSize(value);
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.length;
  let size = 0;
  if (Array.isArray(value)) {
    for (const member of value) size += 1 + valueSize(member);
    return size + LIST_OR_MAP_OVERHEAD;
  }
  if (value instanceof Set) {
    for (const member of value) size += valueSize(member);
    return size;
  }
  for (const name in value) size += 1 + textSize(name) + valueSize(attribute(value, name) ?? null);
  return size + LIST_OR_MAP_OVERHEAD;
}

/** Bytes of names and values. The 400 KB limit and the capacity units count from this size. */
export function itemSize(item: Attributes): number {
  let size = 0;
  for (const name in item) size += textSize(name) + valueSize(attribute(item, name) ?? null);
  return size;
}

/** A copy that shares nothing mutable with the stored value. */
export function give(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(give);
  if (value instanceof Uint8Array) return value.slice();
  if (value instanceof Set) {
    return value instanceof Set && typeOfSet(value) === 'BS'
      ? new Set([...(value as Set<Uint8Array>)].map((bytes) => bytes.slice()))
      : (new Set<unknown>(value) as ValueSet);
  }
  return giveItem(value);
}

export function giveItem(item: Attributes): Attributes {
  const copy: Attributes = {};
  for (const name in item) {
    const value = item[name] as Value;
    if (name === '__proto__') setAttribute(copy, name, give(value));
    else copy[name] = typeof value === 'object' ? give(value) : value;
  }
  return copy;
}

/** Nesting of lists and maps. */
const MAX_DEPTH = 32;

/**
 * Copies a caller's item, measures it, and finds out whether plain JSON can hold it, in one walk. It drops and refuses the same
 * values as lib-dynamodb's marshaller with `removeUndefinedValues`, the setting of our document client.
 */
export function takeItem(source: unknown): { item: Attributes; size: number; plain: boolean } {
  const walk = { size: 0, plain: true };
  const item = takeMembers(source as Record<string, unknown>, walk, 0);
  return { item, size: walk.size, plain: walk.plain };
}

export function takeValue(source: unknown): Value {
  return take(source, { size: 0, plain: true }, 1);
}

interface Walk {
  size: number;
  plain: boolean;
}

function takeMembers(source: Record<string, unknown>, walk: Walk, overhead: number, depth = 1): Attributes {
  if (depth > MAX_DEPTH) throw validationException('Nesting Levels have exceeded supported limits');
  const copy: Attributes = {};
  for (const name in source) {
    const value = source[name];
    if (value === undefined || typeof value === 'function') continue;
    // The marshaller refuses a map with this member as an instance of an unknown class.
    if (name === 'constructor' && depth > 1 && value) throw unsupported(source);
    walk.size += textSize(name) + overhead;
    if (typeof value === 'string' && name !== '__proto__') {
      walk.size += textSize(value);
      copy[name] = value;
    } else setAttribute(copy, name, take(value, walk, depth));
  }
  return copy;
}

function take(value: unknown, walk: Walk, depth: number): Value {
  switch (typeof value) {
    case 'string':
      walk.size += textSize(value);
      return value;
    case 'number':
      return takeNumber(value, walk);
    case 'boolean':
      walk.size += 1;
      return value;
    case 'bigint':
      return takeBigInt(value, walk);
    case 'object':
      return value === null ? takeNull(walk) : takeObject(value, walk, depth);
    case 'undefined':
      throw new Error(
        'Pass options.removeUndefinedValues=true to remove undefined values from map/array/set.',
      );
    default:
      throw unsupported(value);
  }
}

function takeNull(walk: Walk): null {
  walk.size += 1;
  return null;
}

function takeNumber(value: number, walk: Walk): number {
  if (!Number.isFinite(value)) throw new Error(`Special numeric value ${value} is not allowed`);
  if (value > Number.MAX_SAFE_INTEGER) {
    throw new Error(
      `Number ${value} is greater than Number.MAX_SAFE_INTEGER. Use NumberValue from @aws-sdk/lib-dynamodb.`,
    );
  }
  if (value < Number.MIN_SAFE_INTEGER) {
    throw new Error(
      `Number ${value} is lesser than Number.MIN_SAFE_INTEGER. Use NumberValue from @aws-sdk/lib-dynamodb.`,
    );
  }
  checkNumber(value);
  walk.size += numberSize(value);
  // Negative zero becomes 0.
  return value + 0;
}

function takeBigInt(value: bigint, walk: Walk): Numeric {
  checkNumber(value);
  walk.size += numberSize(value);
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  walk.plain = false;
  return value;
}

function takeObject(value: object, walk: Walk, depth: number): Value {
  if (Array.isArray(value)) return takeList(value, walk, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null || value.constructor.name === 'Object') {
    walk.size += LIST_OR_MAP_OVERHEAD;
    return takeMembers(value as Record<string, unknown>, walk, 1, depth + 1);
  }
  if (value instanceof Set) return takeSet(value, walk);
  if (value instanceof Map) {
    walk.size += LIST_OR_MAP_OVERHEAD;
    return takeMembers(Object.fromEntries(value) as Record<string, unknown>, walk, 1, depth + 1);
  }
  const bytes = toBytes(value);
  if (bytes) {
    walk.plain = false;
    walk.size += bytes.length;
    return bytes;
  }
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return take(value.valueOf(), walk, depth);
  }
  if (isNumberValue(value)) return takeNumberValue(value.value, walk);
  throw unsupported(value);
}

function takeList(list: readonly unknown[], walk: Walk, depth: number): Value[] {
  if (depth >= MAX_DEPTH) throw validationException('Nesting Levels have exceeded supported limits');
  walk.size += LIST_OR_MAP_OVERHEAD;
  const copy: Value[] = [];
  for (const member of list) {
    if (member === undefined || typeof member === 'function') continue;
    walk.size += 1;
    copy.push(take(member, walk, depth + 1));
  }
  return copy;
}

function takeSet(set: ReadonlySet<unknown>, walk: Walk): ValueSet {
  walk.plain = false;
  const members = [...set].filter((member) => member !== undefined);
  if (members.length === 0) throw new Error('Pass a non-empty set, or options.convertEmptyValues=true.');
  const taken = members.map((member) => take(member, walk, MAX_DEPTH));
  const type = typeOf(taken[0] as Value);
  if (!['S', 'N', 'B'].includes(type)) {
    throw new Error('Only Number Set (NS), Binary Set (BS) or String Set (SS) are allowed.');
  }
  if (taken.some((member) => typeOf(member) !== type)) {
    throw validationException('Type mismatch in a set: all members must be of one type');
  }
  return new Set<unknown>(taken) as ValueSet;
}

function toBytes(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  }
  return value instanceof ArrayBuffer ? new Uint8Array(value).slice() : undefined;
}

/** lib-dynamodb's class for numbers of any precision. */
function isNumberValue(value: object): value is { value: string } {
  return 'toAttributeValue' in value && 'value' in value && typeof value.value === 'string';
}

function takeNumberValue(text: string, walk: Walk): Numeric {
  const number = /^[+-]?\d+$/.test(text) ? BigInt(text) : Number(text);
  return typeof number === 'bigint' ? takeBigInt(number, walk) : takeNumber(number, walk);
}

function unsupported(value: unknown): Error {
  return new Error(
    `Unsupported type passed: ${String(value)}. Pass options.convertClassInstanceToMap=true to marshall typeof object as map attribute.`,
  );
}
