import { builtinModules, createRequire } from 'node:module';

/** A function or an accessor that a component can replace. */
export interface Location {
  name: string;
  owner: object;
  key: PropertyKey;
  descriptor: PropertyDescriptor;
}

/** Everything that a component can reach by properties and prototypes, found by walking, not by a list. */
export interface Reachable {
  locations: Location[];
  /** Names of the properties of all of it. */
  keys: string[];
}

/** Objects whose prototypes are no property of anything. */
const samples = (): unknown[] => [
  [][Symbol.iterator](),
  ''[Symbol.iterator](),
  new Map()[Symbol.iterator](),
  new Set()[Symbol.iterator](),
  'x'.matchAll(/x/g),
  (function* () {
    yield 1;
  })(),
  (async function* () {
    yield await Promise.resolve(1);
  })(),
  async () => Promise.resolve(),
  Object.getPrototypeOf(Uint8Array),
];

/** Writing it to a prototype ends the process: it belongs to the native object. */
const NATIVE = 'onread';

/** `hidden` are objects that only calls return, such as handles. */
export function reachable(hidden: Readonly<Record<string, unknown>>): Reachable {
  const load = createRequire(import.meta.url);
  const seen = new Set<unknown>();
  const locations: Location[] = [];
  const keys = new Set<string>();
  const queue: [string, unknown][] = [['globalThis', globalThis]];
  for (const name of builtinModules) {
    try {
      queue.push([name, load(name)]);
    } catch {
      // The child may not load it.
    }
  }
  queue.push(...samples().map((value, index): [string, unknown] => [`sample ${index}`, value]));
  queue.push(...Object.entries(hidden));
  // The queue grows while it is read.
  for (const [name, owner] of queue) {
    const isObject = (typeof owner === 'object' && owner !== null) || typeof owner === 'function';
    if (!isObject || seen.has(owner)) continue;
    seen.add(owner);
    for (const key of Reflect.ownKeys(owner)) {
      if (typeof key === 'string') keys.add(key);
      const path = `${name}.${String(key)}`;
      const descriptor = descriptorOf(owner, key);
      if (!descriptor || key === NATIVE) continue;
      const isPatchable = descriptor.configurable === true || descriptor.writable === true;
      if ((descriptor.get ?? typeof descriptor.value === 'function') && isPatchable)
        locations.push({ name: path, owner, key, descriptor });
      queue.push([path, descriptor.value], [`get ${path}`, descriptor.get], [`set ${path}`, descriptor.set]);
      // The classes of the web platform are made at their first use.
      if (owner === globalThis && descriptor.get) queue.push([path, Reflect.get(owner, key)]);
    }
    queue.push([`${name}.__proto__`, Object.getPrototypeOf(owner)]);
  }
  return { locations, keys: [...keys] };
}

/** Without a prototype: the test puts properties into `Object.prototype`. */
function descriptorOf(owner: object, key: PropertyKey): PropertyDescriptor | undefined {
  try {
    const found = Object.getOwnPropertyDescriptor(owner, key);
    return found && Object.setPrototypeOf(found, null);
  } catch {
    return undefined;
  }
}
