import { type Value } from './value.ts';

/** Equality in DynamoDB: same type; sets and maps have no order. */
export function equals(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((v, i) => equals(v, right[i] as Value));
  }
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left instanceof Set) {
    return right instanceof Set && left.size === right.size && [...left].every((member) => right.has(member));
  }
  if (Array.isArray(right) || right instanceof Uint8Array || right instanceof Set) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equals(left[name] as Value, right[name] as Value))
  );
}

/** Compares two strings, two numbers or two binaries. Undefined for other and for different types. */
export function order(left: Value, right: Value): number | undefined {
  if (typeof left === 'string') return typeof right === 'string' ? compareText(left, right) : undefined;
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? Buffer.compare(left, right) : undefined;
  return typeof left === 'number' && typeof right === 'number' ? Math.sign(left - right) : undefined;
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return sortableText(left) < sortableText(right) ? -1 : 1;
}

const BEYOND_SURROGATES = /[\ud800-\uffff]/;

/**
 * DynamoDB orders strings by UTF-8 bytes, JavaScript by UTF-16 units. The orders differ between surrogate pairs and
 * U+E000–U+FFFF. With the surrogates moved above U+FFFF, JavaScript's order is DynamoDB's, and a prefix stays a prefix.
 */
export function sortableText(text: string): string {
  return moveUnits(text, (unit) => (unit < 0xe000 ? unit + 0x2000 : unit - 0x800));
}

/** The text that {@link sortableText} made a sortable one of. */
export function textOfSortable(sortable: string): string {
  return moveUnits(sortable, (unit) => (unit < 0xf800 ? unit + 0x800 : unit - 0x2000));
}

function moveUnits(text: string, move: (unit: number) => number): string {
  if (!BEYOND_SURROGATES.test(text)) return text;
  let moved = '';
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    moved += String.fromCharCode(unit < 0xd800 ? unit : move(unit));
  }
  return moved;
}
