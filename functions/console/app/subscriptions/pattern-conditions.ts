import { entriesOf, isScalarKind, jsonKind } from '../json/json-node.ts';

/** A scalar of an event, with the names of the objects around it. Arrays on the way have no name in a pattern. */
export interface EventValue {
  names: readonly string[];
  /** JSON text. */
  json: string;
}

/** More values are not looked through. */
const MAX_VALUES = 60;

/** The scalars of an event that a pattern can compare, each once. */
export function eventValuesOf(json: string): readonly EventValue[] {
  const found = new Map<string, EventValue>();
  collect(json, [], found);
  return [...found.values()];
}

function collect(json: string, names: readonly string[], found: Map<string, EventValue>): void {
  if (found.size >= MAX_VALUES) return;
  const kind = jsonKind(json);
  if (!isScalarKind(kind)) {
    for (const { name, json: inner } of entriesOf(json)) {
      const all = name === undefined ? names : [...names, String(JSON.parse(name))];
      // The pattern would take the name for an operator.
      if (!all.includes('$or')) collect(inner, all, found);
    }
    return;
  }
  // A pattern would round the number.
  if (kind === 'number' && !isExact(json)) return;
  if (names.length > 0) found.set(JSON.stringify([names, json]), { names, json });
}

function isExact(json: string): boolean {
  const number = Number(json);
  return Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number));
}

type Members = ReadonlyMap<string, unknown>;

/** The members of the JSON object of a text: none without one. */
export function membersOf(filter: string): Members {
  if (filter.trim() === '') return new Map();
  return new Map(Object.entries(Object(JSON.parse(filter))));
}

const inside = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : new Map();

const alternativesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a pattern names a value among the alternatives of its field. */
export function hasCondition(pattern: Members, { names: [name = '', ...rest], json }: EventValue): boolean {
  const value = pattern.get(name);
  if (rest.length > 0) return hasCondition(inside(value), { names: rest, json });
  return alternativesOf(value).some((each) => isSame(each, json));
}

const isSame = (alternative: unknown, json: string): boolean =>
  JSON.stringify(alternative) === JSON.stringify(JSON.parse(json));

/**
 * The name of the member whose condition has another shape, such as alternatives where a value needs an object. A press
 * of the value would replace what a person typed.
 */
export function otherCondition(
  pattern: Members,
  { names: [name = '', ...rest], json }: EventValue,
): string | undefined {
  const value = pattern.get(name);
  if (value === undefined) return undefined;
  if (Array.isArray(value) !== (rest.length === 0)) return name;
  return rest.length === 0 ? undefined : otherCondition(inside(value), { names: rest, json });
}

/** The pattern with another alternative of a field; without it, if the pattern has it already. */
export function toggleCondition(pattern: Members, { names: [name = '', ...rest], json }: EventValue): Members {
  const changed = new Map(pattern);
  const value = changed.get(name);
  if (rest.length > 0) {
    const members = toggleCondition(inside(value), { names: rest, json });
    if (members.size === 0) changed.delete(name);
    else changed.set(name, Object.fromEntries(members));
    return changed;
  }
  const others = alternativesOf(value).filter((each) => !isSame(each, json));
  const isAdded = others.length === alternativesOf(value).length;
  if (isAdded) changed.set(name, [...others, JSON.parse(json)]);
  else if (others.length > 0) changed.set(name, others);
  else changed.delete(name);
  return changed;
}

/** The JSON text of a pattern: empty without a condition. */
export const filterText = (pattern: Members): string =>
  pattern.size === 0 ? '' : JSON.stringify(Object.fromEntries(pattern));
