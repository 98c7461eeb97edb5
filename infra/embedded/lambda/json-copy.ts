/** The most bytes of JSON that a UTF-16 unit of a text becomes, as `\u0000`. */
const BYTES_PER_UNIT = 6;
/** No number has more characters. */
const BYTES_PER_NUMBER = 25;
const BYTES_PER_LITERAL = 5;
/** Quotes or brackets with a comma. */
const FRAME = 3;

export interface JsonCopy {
  readonly value: unknown;
  /** The JSON text has at most as many bytes. */
  readonly mostBytes: number;
}

/**
 * Copies a value as `JSON.parse(JSON.stringify(value))` does, but shares its texts, which are neither quoted nor read. A value that JSON
 * lacks becomes undefined.
 */
export function jsonCopy(value: unknown): JsonCopy {
  const walk = { bytes: 0 };
  const copy = copyOf(value, walk);
  return { value: copy, mostBytes: walk.bytes };
}

interface Walk {
  bytes: number;
}

function copyOf(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      walk.bytes += value.length * BYTES_PER_UNIT + FRAME;
      return value;
    case 'number':
      walk.bytes += BYTES_PER_NUMBER;
      // JSON has neither -0 nor NaN.
      return Number.isFinite(value) ? value + 0 : null;
    case 'boolean':
      walk.bytes += BYTES_PER_LITERAL;
      return value;
    case 'bigint':
      throw new TypeError('JSON has no BigInt.');
    case 'object':
      return value === null ? copyOfNull(walk) : copyOfObject(value, walk);
    default:
      return undefined;
  }
}

function copyOfNull(walk: Walk): null {
  walk.bytes += BYTES_PER_LITERAL;
  return null;
}

function copyOfObject(value: object, walk: Walk): unknown {
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyOf(value.toJSON(), walk);
  walk.bytes += FRAME;
  if (Array.isArray(value)) return Array.from(value, (element) => copyOf(element, walk) ?? copyOfNull(walk));
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const copied = copyOf(member, walk);
    if (copied === undefined) continue;
    walk.bytes += name.length * BYTES_PER_UNIT + FRAME;
    if (name === '__proto__') define(copy, name, copied);
    else copy[name] = copied;
  }
  return copy;
}

/** An assignment would set the prototype. */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}
