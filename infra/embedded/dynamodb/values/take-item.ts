import { validationException } from '../../common-errors.ts';
import { numberSize } from './number.ts';
import { type Attributes, LIST_OR_MAP_OVERHEAD, textSize, type Value } from './value.ts';
import { setOwn } from '../../own-member.ts';

/** Nesting of lists and maps. */
const MAX_DEPTH = 32;

/**
 * Copies a caller's item, measures it, and finds out whether plain JSON can hold it, in one walk. It drops and refuses
 * the same values as lib-dynamodb's marshaller with `removeUndefinedValues`, the setting of our document client.
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
    } else setOwn(copy, name, take(value, walk, depth));
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
    case 'object':
      return value === null ? takeNull(walk) : takeObject(value, walk, depth);
    case 'undefined':
      throw new Error('Pass options.removeUndefinedValues=true to remove undefined values from map/array/set.');
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
  if (value !== 0 && Math.abs(value) < 1e-130)
    throw validationException(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
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
  walk.size += numberSize(value);
  // Negative zero becomes 0.
  return value + 0;
}

function takeObject(value: object, walk: Walk, depth: number): Value {
  if (Array.isArray(value)) return takeList(value, walk, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null || value.constructor.name === 'Object') {
    walk.size += LIST_OR_MAP_OVERHEAD;
    return takeMembers(value as Record<string, unknown>, walk, 1, depth + 1);
  }
  if (value instanceof Set) return takeSet(value, walk);
  const bytes = toBytes(value);
  if (bytes) {
    walk.plain = false;
    walk.size += bytes.length;
    return bytes;
  }
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

/** The marshaller also takes sets of numbers and of bytes. */
function takeSet(set: ReadonlySet<unknown>, walk: Walk): Set<string> {
  walk.plain = false;
  if (set.size === 0) throw new Error('Pass a non-empty set, or options.convertEmptyValues=true.');
  const taken = new Set<string>();
  for (const member of set) {
    if (typeof member !== 'string') throw new Error('Only sets of strings are supported.');
    walk.size += textSize(member);
    taken.add(member);
  }
  return taken;
}

function toBytes(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  }
  return value instanceof ArrayBuffer ? new Uint8Array(value).slice() : undefined;
}

function unsupported(value: unknown): Error {
  return new Error(
    `Unsupported type passed: ${String(value)}. Pass options.convertClassInstanceToMap=true to marshall typeof object as map attribute.`,
  );
}
