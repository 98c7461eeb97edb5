/* oxlint-disable typescript/prefer-for-of -- `for` … `of` calls the iterator of arrays, which is patched here */
import type { Target } from '../attack.ts';
import { type Attempt, attemptsAt } from './attempts.ts';
import { allowed, type Replacement, replacements, stolen } from './replacements.ts';
import { type Location, reachable } from './locations.ts';

/** Captured before anything is patched. */
const { defineProperty, deleteProperty, getPrototypeOf, setPrototypeOf } = Reflect;

/** Reports after this many show nothing new. */
const MAX_REPORTS = 50;

interface Settings {
  target: Target;
  port: number;
  /** An address that the rule allows, on loopback. */
  allowedHost: string;
}

/** Patches each builtin that it can reach and tries what the guards refuse; then all builtins at once. */
export default {
  name: 'Patches builtins',
  version: '0.0.1',
  async run(this: { $emit(event: unknown): void }, { target, port, allowedHost }: Settings) {
    Error.stackTraceLimit = 0;
    const { attempts, hidden, doAllowed } = await attemptsAt(target, port, allowedHost);
    const { locations, keys } = reachable(hidden);
    const reached: string[] = [];
    const attempt = (what: string) => {
      allowed.objects.length = 0;
      allowed.isLearning = true;
      isReached(doAllowed);
      allowed.isLearning = false;
      for (let index = 0; index < attempts.length; index += 1) {
        const each = attempts[index];
        if (each && isReached(each) && reached.length < MAX_REPORTS) reached[reached.length] = `${each.name}: ${what}`;
      }
      stolen.length = 0;
    };
    if (!isReached(doAllowed)) reached.push('what is allowed is refused');
    attempt('nothing is patched');
    for (const replacement of replacements) {
      for (let index = 0; index < locations.length; index += 1) {
        const location = locations[index];
        if (!location || !patch(location, replacement)) continue;
        attempt(`${location.name} ${replacement.kind}`);
        restore(location);
      }
      const patched = locations.map((location) => patch(location, replacement));
      attempt(`everything ${replacement.kind}`);
      for (let index = locations.length - 1; index >= 0; index -= 1) {
        const location = locations[index];
        if (location && patched[index]) restore(location);
      }
      polluted(keys, replacement, () => attempt(`every absent property of objects ${replacement.kind}`));
      behindProxies(replacement, () => attempt(`every absent property of other prototypes ${replacement.kind}`));
    }
    this.$emit({ locations: locations.length, keys: keys.length, reached });
  },
};

function isReached(attempt: Attempt): boolean {
  try {
    return attempt.isReached();
  } catch {
    return false;
  }
}

/** A descriptor without a prototype. */
const plain = (descriptor: PropertyDescriptor): PropertyDescriptor => {
  setPrototypeOf(descriptor, null);
  return descriptor;
};

function patch({ owner, key, descriptor }: Location, replacement: Replacement): boolean {
  if (key === replacement.except) return false;
  const { configurable = false, enumerable = false, writable = false } = descriptor;
  return defineProperty(
    owner,
    key,
    descriptor.get
      ? plain({
          get: replacement.of(descriptor.get),
          set: replacement.of(descriptor.set),
          configurable,
          enumerable,
        })
      : plain({ value: replacement.of(descriptor.value), writable, configurable, enumerable }),
  );
}

function restore({ owner, key, descriptor }: Location): void {
  defineProperty(owner, key, descriptor);
}

/** Gives `Object.prototype` an accessor for each name that any object has and it has not, and for indices. */
function polluted(keys: readonly string[], replacement: Replacement, act: () => void): void {
  const names = [...keys, ...Array.from({ length: 20 }, (_, index) => String(index))];
  const added = names.filter((name) => !(name in Object.prototype));
  const accessor = replacement.of(undefined);
  const descriptor = plain({ get: accessor, set: accessor, configurable: true, enumerable: false });
  for (let index = 0; index < added.length; index += 1)
    defineProperty(Object.prototype, added[index] ?? '', descriptor);
  act();
  for (let index = 0; index < added.length; index += 1) deleteProperty(Object.prototype, added[index] ?? '');
}

/** Puts a proxy that has every property behind the prototypes of primitives and collections. */
function behindProxies(replacement: Replacement, act: () => void): void {
  const owners = [Array, String, Number, Boolean, Function, Map, Set, WeakSet, RegExp, Promise, Buffer].map(
    ({ prototype }): object => prototype,
  );
  const before = owners.map((owner) => getPrototypeOf(owner));
  const get = replacement.of(undefined);
  const proxy = new Proxy(plain({}), { get, has: () => true, set: () => true });
  for (let index = 0; index < owners.length; index += 1) setPrototypeOf(owners[index] ?? {}, proxy);
  act();
  for (let index = 0; index < owners.length; index += 1) setPrototypeOf(owners[index] ?? {}, before[index] ?? null);
}
