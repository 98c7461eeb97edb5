export type JsonObject = Readonly<Record<string, unknown>>;
export type Scalar = string | number | boolean | null;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Own members only: `constructor` is no field of an event. */
export const memberOf = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const NOTHING: JsonObject = {};

/** Whether a scalar, or one in an array at any depth, passes. */
export function someScalar(value: unknown, passes: (scalar: Scalar) => boolean): boolean {
  if (!Array.isArray(value)) return isScalar(value) && passes(value);
  return someElement(value, (element) => isScalar(element) && passes(element));
}

/** Whether an object, or one in an array at any depth, passes. A value without objects stands for an object without members. */
export function someObject(value: unknown, passes: (object: JsonObject) => boolean): boolean {
  if (!Array.isArray(value)) return passes(isJsonObject(value) ? value : NOTHING);
  let hasObject = false;
  const found = someElement(value, (element) => {
    if (!isJsonObject(element)) return false;
    hasObject = true;
    return passes(element);
  });
  return found || (!hasObject && passes(NOTHING));
}

/** Without recursion: a component may emit arrays that nest deeper than the stack. */
function someElement(array: readonly unknown[], passes: (element: unknown) => boolean): boolean {
  const pending = [array];
  for (let elements = pending.pop(); elements; elements = pending.pop()) {
    for (const element of elements) {
      if (Array.isArray(element)) pending.push(element);
      else if (passes(element)) return true;
    }
  }
  return false;
}
