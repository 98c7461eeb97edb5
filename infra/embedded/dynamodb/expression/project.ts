import { give, isMap, attribute, type Attributes, type Value } from '../values/value.ts';
import { type Path } from './parser.ts';
import { headOf, lookUp, resolveStep, type Scope } from './scope.ts';
import { setOwn } from '../../own-member.ts';

/** The parts of an item that the paths name. Selected list elements move together in the order of their indexes. */
export function project(paths: readonly Path[], item: Attributes, scope: Scope): Attributes {
  const picked: Attributes = {};
  if (paths.every((path) => path.length === 1)) {
    for (const path of paths) {
      const name = headOf(path, scope);
      const value = attribute(item, name);
      if (value !== undefined) setOwn(picked, name, give(value));
    }
    return picked;
  }
  const lists = new Map<Value[], number[]>();
  for (const path of paths) {
    const value = lookUp(path, item, scope);
    if (value !== undefined)
      putAt(
        picked,
        path.map((step) => resolveStep(step, scope)),
        give(value),
        lists,
      );
  }
  return picked;
}

function putAt(
  root: Attributes,
  keys: readonly (string | number)[],
  value: Value,
  lists: Map<Value[], number[]>,
): void {
  let holder: Attributes | Value[] = root;
  for (const [i, key] of keys.entries()) {
    const following = keys[i + 1];
    if (following === undefined) {
      put(holder, key, value, lists);
      return;
    }
    let child = get(holder, key, lists);
    if (child === undefined) {
      child = typeof following === 'number' ? [] : {};
      put(holder, key, child, lists);
    }
    if (!Array.isArray(child) && !isMap(child)) return;
    holder = child;
  }
}

function get(holder: Attributes | Value[], key: string | number, lists: Map<Value[], number[]>): Value | undefined {
  if (!Array.isArray(holder)) return attribute(holder, String(key));
  const position = lists.get(holder)?.indexOf(Number(key)) ?? -1;
  return position < 0 ? undefined : holder[position];
}

function put(holder: Attributes | Value[], key: string | number, value: Value, lists: Map<Value[], number[]>): void {
  if (!Array.isArray(holder)) {
    setOwn(holder, String(key), value);
    return;
  }
  const indexes = lists.get(holder) ?? [];
  lists.set(holder, indexes);
  const after = indexes.findIndex((index) => index > Number(key));
  const position = after < 0 ? indexes.length : after;
  indexes.splice(position, 0, Number(key));
  holder.splice(position, 0, value);
}
