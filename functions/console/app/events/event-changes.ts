import { entriesOf, isScalarKind, jsonKind } from '../json/json-node.ts';

/** A scalar that differs between two events. Without `before` it was added, without `after` it was removed. */
export interface EventChange {
  path: string;
  /** JSON texts, as they were sent. */
  before?: string;
  after?: string;
}

/** Scalars of one event that are compared. */
const MAX_SCALARS = 2_000;

/** The scalars that differ, in the order of the later event; those that it lacks come last. */
export function eventChanges(earlier: string, later: string): readonly EventChange[] {
  const before = scalarsOf(earlier);
  const after = scalarsOf(later);
  return [
    ...[...after].flatMap(([path, json]): EventChange[] => {
      const known = before.get(path);
      if (known === json) return [];
      return [known === undefined ? { path, after: json } : { path, before: known, after: json }];
    }),
    ...[...before].flatMap(([path, json]) => (after.has(path) ? [] : [{ path, before: json }])),
  ];
}

/** Empty objects and arrays count as scalars, so that one that becomes empty is a change. */
function scalarsOf(json: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open = [{ path: '', json }];
  for (let entry = open.pop(); entry !== undefined && found.size < MAX_SCALARS; entry = open.pop()) {
    const { path, json: text } = entry;
    const entries = isScalarKind(jsonKind(text)) ? [] : entriesOf(text);
    if (entries.length === 0) found.set(path, text.replace(/^([{[])\s*/, '$1'));
    // The last one that is added is the next one that is looked at.
    open.push(
      ...entries.map(({ name, json: value }, n) => ({ path: pathOf(path, name, n), json: value })).toReversed(),
    );
  }
  return found;
}

/** `order.lines[0].sku`; a name with other characters in brackets, `["a b"]`. */
function pathOf(path: string, name: string | undefined, index: number): string {
  if (name === undefined) return `${path}[${index}]`;
  if (!/^"[\w$-]+"$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name.slice(1, -1) : `${path}.${name.slice(1, -1)}`;
}
