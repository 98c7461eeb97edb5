import { type Dict, isDict } from '../guards.ts';

/** JSON of anything: what refers back to an object around it is left out, and a BigInt becomes its digits. */
export function jsonStringifySafe(value: unknown): string | undefined {
  const around: object[] = [];
  try {
    return JSON.stringify(value, function (this: unknown, _key: string, member: unknown) {
      if (typeof member === 'bigint') return member.toString();
      if (typeof member !== 'object' || member === null) return member;
      // `this` holds `member`: whatever lies deeper than it is no longer around us.
      const holder = around.findIndex((object) => object === this);
      around.splice(holder + 1);
      if (around.includes(member)) return undefined;
      around.push(member);
      return member;
    });
  } catch {
    return undefined;
  }
}

/** A copy that holds what JSON holds, for values that may refer to themselves. */
export function cloneSafe(value: unknown): unknown {
  const json = jsonStringifySafe(value);
  return json === undefined ? undefined : JSON.parse(json);
}

/** A copy without the members that are undefined. */
export function withoutUndefined(object: Dict): Dict {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Only plain objects: streams, forms and buffers are passed on as they are. */
export const isPlain = (value: unknown): value is Dict => {
  if (!isDict(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};
