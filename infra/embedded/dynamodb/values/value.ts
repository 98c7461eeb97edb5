import { numberSize, type Numeric } from './number.ts';
import { setOwn } from '../../own-member.ts';

/** A value as lib-dynamodb's document client returns it. */
export type Value = string | Numeric | boolean | null | Uint8Array | ValueSet | Value[] | { [name: string]: Value };
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

/** Up to this length a loop is faster than Buffer.byteLength. */
const SHORT_TEXT = 40;

export function textSize(text: string): number {
  const { length } = text;
  if (length > SHORT_TEXT) return Buffer.byteLength(text);
  for (let i = 0; i < length; i += 1) if (text.charCodeAt(i) > 127) return Buffer.byteLength(text);
  return length;
}

export const LIST_OR_MAP_OVERHEAD = 3;

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
    if (name === '__proto__') setOwn(copy, name, give(value));
    else copy[name] = typeof value === 'object' ? give(value) : value;
  }
  return copy;
}
