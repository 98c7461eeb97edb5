import { numberSize } from './number.ts';
import { setOwn } from '../../own-member.ts';

/**
 * A value as lib-dynamodb's document client returns it. The table has what our items need: no numbers beyond safe ones,
 * and no sets but those of strings.
 */
export type Value = string | number | boolean | null | Uint8Array | Set<string> | Value[] | { [name: string]: Value };
export type Attributes = Record<string, Value>;
export type ValueType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS';

export function typeOf(value: Value): ValueType {
  switch (typeof value) {
    case 'string':
      return 'S';
    case 'number':
      return 'N';
    case 'boolean':
      return 'BOOL';
  }
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Uint8Array) return 'B';
  return value instanceof Set ? 'SS' : 'M';
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
  if (typeof value === 'number') return numberSize(value);
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.length;
  let size = 0;
  if (Array.isArray(value)) {
    for (const member of value) size += 1 + valueSize(member);
    return size + LIST_OR_MAP_OVERHEAD;
  }
  if (value instanceof Set) {
    for (const member of value) size += textSize(member);
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
  if (value instanceof Set) return new Set(value);
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
