import { give, isMap, attribute, type Attributes, type Value } from '../values/value.ts';
import { type Path } from './parser.ts';
import { lookUp, resolveStep, type Scope } from './scope.ts';
import { setOwn } from '../../own-member.ts';

/** The parts of an item that the paths name. */
export function project(paths: readonly Path[], item: Attributes, scope: Scope): Attributes {
  const picked: Attributes = {};
  for (const path of paths) {
    const value = lookUp(path, item, scope);
    if (value === undefined) continue;
    let holder = picked;
    for (let i = 0; i < path.length; i += 1) {
      const key = resolveStep(path[i] as Path[0], scope);
      const child = attribute(holder, key);
      const next = i < path.length - 1 ? (isMap(child) ? child : {}) : give(value);
      setOwn<Value>(holder, key, next);
      if (isMap(next)) holder = next;
    }
  }
  return picked;
}
