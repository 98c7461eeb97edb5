/* oxlint-disable typescript/prefer-for-of -- `for` … `of` calls the iterator of arrays, which is patched here */
/** A replacement of a builtin. */
export interface Replacement {
  kind: string;
  /** Not for functions of this name. */
  except?: string;
  of(original: unknown): (this: unknown, ...args: unknown[]) => unknown;
}

const { apply, construct, defineProperty, get, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;

/** Functions that replaced builtins got as `this` or as an argument. */
export const stolen: unknown[] = [];

/** Objects that replaced builtins got while something allowed was done. */
export const allowed: { isLearning: boolean; objects: object[] } = { isLearning: false, objects: [] };

const constant = (kind: string, value: unknown): Replacement => ({
  kind,
  of: () =>
    function () {
      return value;
    },
});

/** An address that the rule allows. Nothing is sent to it: it only replaces results. */
const PUBLIC = '93.184.216.34';

export const replacements: readonly Replacement[] = [
  constant('returns false', false),
  constant('returns true', true),
  constant('returns 0', 0),
  constant('returns nothing', undefined),
  constant('returns a public address', PUBLIC),
  // Iterators end with it.
  constant('returns a list', Object.assign([PUBLIC, PUBLIC, PUBLIC, PUBLIC], { done: true })),
  {
    kind: 'throws',
    of: () =>
      function () {
        throw stolen;
      },
  },
  {
    kind: 'returns `this`',
    // An iterator that returns itself never ends, and the limits of a run end it.
    except: 'next',
    of: () =>
      function () {
        return this;
      },
  },
  {
    kind: 'returns its argument',
    of: () =>
      function (first) {
        return first;
      },
  },
  {
    kind: 'keeps what it gets',
    of: (original) =>
      function (...args) {
        keep(this);
        for (let index = 0; index < args.length; index += 1) keep(args[index]);
        if (typeof original !== 'function') return undefined;
        return new.target ? construct(original, args) : apply(original, this, args);
      },
  },
  {
    kind: 'makes its arguments those of what is allowed',
    of: (original) =>
      function (...args) {
        exchange(this);
        for (let index = 0; index < args.length; index += 1) exchange(args[index]);
        if (typeof original !== 'function') return undefined;
        return new.target ? construct(original, args) : apply(original, this, args);
      },
  },
];

function keep(value: unknown): void {
  if (typeof value !== 'function' || stolen.length >= 1000) return;
  for (let index = 0; index < stolen.length; index += 1) if (stolen[index] === value) return;
  stolen[stolen.length] = value;
}

/** Keeps an object of an allowed call, or gives an object all that one of its class has. */
function exchange(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { objects, isLearning } = allowed;
  if (isLearning) {
    if (objects.length < 1000) objects[objects.length] = value;
    return;
  }
  for (let index = 0; index < objects.length; index += 1) {
    const other = objects[index];
    if (other && other !== value && getPrototypeOf(other) === getPrototypeOf(value)) copy(other, value);
  }
}

function copy(from: object, to: object): void {
  const keys = ownKeys(from);
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] ?? '';
    const descriptor = { value: get(from, key), writable: true, enumerable: true, configurable: true };
    setPrototypeOf(descriptor, null);
    defineProperty(to, key, descriptor);
  }
}
