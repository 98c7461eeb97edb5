import { type Dict, isDict } from '../guards.ts';

/** JSON of any value: leaves out circular references and writes a BigInt as its digits. */
export function jsonStringifySafe(value: unknown): string | undefined {
  const ancestors: object[] = [];
  try {
    return JSON.stringify(value, function (this: unknown, _key: string, member: unknown) {
      if (typeof member === 'bigint') return member.toString();
      if (typeof member !== 'object' || member === null) return member;
      // `this` is the parent of `member`: deeper objects are not ancestors of `member`.
      const parent = ancestors.findIndex((object) => object === this);
      ancestors.splice(parent + 1);
      if (ancestors.includes(member)) return undefined;
      ancestors.push(member);
      return member;
    });
  } catch {
    return undefined;
  }
}

/** A JSON copy of a value that may have circular references. */
export function cloneSafe(value: unknown): unknown {
  const json = jsonStringifySafe(value);
  return json === undefined ? undefined : JSON.parse(json);
}

/** A copy without the members that are undefined. */
export function withoutUndefined(object: Dict): Dict {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Whether a value is a plain object, unlike streams, forms and buffers. */
export const isPlain = (value: unknown): value is Dict => {
  if (!isDict(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};
