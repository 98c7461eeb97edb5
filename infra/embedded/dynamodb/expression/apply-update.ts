import { has } from '../values/compare.ts';
import { validationException } from '../../common-errors.ts';
import { addNumbers, type Numeric } from '../values/number.ts';
import { attribute, give, isMap, typeOf, type Attributes, type Value, type ValueSet } from '../values/value.ts';
import { lookUp, resolveStep, type Scope } from './scope.ts';
import { type Path } from './parser.ts';
import { type Action, type Term } from './update.ts';
import { setOwn } from '../../own-member.ts';

/** Marks a removed list element until all actions are done, because indexes refer to the original list. */
const REMOVED = Symbol('removed');

/** The updated item. The original item does not change, and every right side reads the original item. */
export function applyUpdate(actions: readonly Action[], before: Attributes, scope: Scope): Attributes {
  const edit = new Edit(before);
  const terms = actions.map((action) => (action.kind === 'set' ? evaluate(action.term, before, scope) : null));
  for (const [i, action] of actions.entries()) {
    const { holder, key } = edit.resolvePath(action.path, scope);
    const existing = read(holder, key);
    switch (action.kind) {
      case 'set':
        write(holder, key, give(terms[i] ?? null));
        break;
      case 'remove':
        if (existing !== undefined) remove(holder, key);
        break;
      case 'add':
        write(holder, key, plus(existing, scope.values[action.ref] as Value));
        break;
      case 'delete':
        if (existing !== undefined) {
          const rest = minus(existing, scope.values[action.ref] as ValueSet);
          if (rest) write(holder, key, rest);
          else remove(holder, key);
        }
    }
  }
  edit.squash();
  return edit.item;
}

type Holder = Attributes | Value[];

/** Copies only the maps and lists that it changes. */
class Edit {
  readonly item: Attributes;
  readonly #own = new Set<Holder>();

  constructor(before: Attributes) {
    this.item = copyMap(before);
    this.#own.add(this.item);
  }

  /** The copied map or list in which a path ends. */
  resolvePath(path: Path, scope: Scope): { holder: Holder; key: string | number } {
    let holder: Holder = this.item;
    for (let i = 0; i < path.length - 1; i += 1) {
      const key = resolveStep(path[i] as Path[0], scope);
      holder = this.#ownChild(holder, key);
    }
    const key = resolveStep(path[path.length - 1] as Path[0], scope);
    if (Array.isArray(holder) !== (typeof key === 'number')) throw wrongPath();
    return { holder, key };
  }

  squash(): void {
    for (const holder of this.#own) {
      if (!Array.isArray(holder) || !holder.includes(REMOVED as never)) continue;
      holder.splice(0, holder.length, ...holder.filter((member) => (member as unknown) !== REMOVED));
    }
  }

  #ownChild(holder: Holder, key: string | number): Holder {
    const child = read(holder, key);
    if (!Array.isArray(child) && !isMap(child)) throw wrongPath();
    if (this.#own.has(child)) return child;
    const copy = Array.isArray(child) ? [...child] : copyMap(child);
    this.#own.add(copy);
    write(holder, key, copy);
    return copy;
  }
}

/** A spread defines its members, so `__proto__` stays an ordinary name. */
function copyMap(map: Attributes): Attributes {
  return { ...map };
}

function read(holder: Holder, key: string | number): Value | undefined {
  if (typeof key === 'number') {
    const member = Array.isArray(holder) ? holder[key] : undefined;
    return (member as unknown) === REMOVED ? undefined : member;
  }
  return Array.isArray(holder) ? undefined : attribute(holder, key);
}

function write(holder: Holder, key: string | number, value: Value): void {
  if (!Array.isArray(holder)) setOwn(holder, String(key), value);
  // An index beyond the end appends one element.
  else if (Number(key) < holder.length) holder[Number(key)] = value;
  else holder.push(value);
}

function remove(holder: Holder, key: string | number): void {
  if (Array.isArray(holder)) holder[Number(key)] = REMOVED as never;
  else Reflect.deleteProperty(holder, key);
}

function evaluate(term: Term, item: Attributes, scope: Scope): Value {
  switch (term.kind) {
    case 'value':
      return scope.values[term.ref] as Value;
    case 'path':
      return existing(lookUp(term.path, item, scope));
    case 'if_not_exists': {
      const found = lookUp(term.path, item, scope);
      return found === undefined ? evaluate(term.otherwise, item, scope) : found;
    }
    case 'sum': {
      const left = number(evaluate(term.left, item, scope));
      const right = number(evaluate(term.right, item, scope));
      return addNumbers(left, term.sign === '+' ? right : -right);
    }
    case 'list_append':
      return [...list(evaluate(term.left, item, scope)), ...list(evaluate(term.right, item, scope))];
  }
}

function existing(value: Value | undefined): Value {
  if (value === undefined) {
    throw validationException('The provided expression refers to an attribute that does not exist in the item');
  }
  return value;
}

function number(value: Value): Numeric {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw wrongType();
  return value;
}

function list(value: Value): Value[] {
  if (!Array.isArray(value)) throw wrongType();
  return value;
}

function plus(current: Value | undefined, amount: Value): Value {
  if (current === undefined) return give(amount);
  if (typeOf(current) !== typeOf(amount)) throw wrongType();
  if (!(amount instanceof Set)) return addNumbers(number(current), number(amount));
  const union = new Set<unknown>(current as ValueSet);
  for (const member of amount) if (!has(union, member)) union.add(give(member));
  return union as ValueSet;
}

function minus(current: Value, members: ValueSet): ValueSet | undefined {
  if (typeOf(current) !== typeOf(members)) throw wrongType();
  const rest = [...(current as ValueSet)].filter((member) => !has(members, member));
  return rest.length > 0 ? (new Set<unknown>(rest) as ValueSet) : undefined;
}

function wrongType(): Error {
  return validationException('An operand in the update expression has an incorrect data type');
}

function wrongPath(): Error {
  return validationException('The document path provided in the update expression is invalid for update');
}
