import { equals } from './compare.ts';
import { type IndexSchema } from './table-spec.ts';
import { attribute, itemSize, setAttribute, type Attributes } from './value.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html */
const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;

/** A unit per KB begun; something that is not there costs one. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
}

/** A unit per 4 KB begun, half of that when eventually consistent. */
export function readUnits(bytes: number, consistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (consistent ? 1 : 0.5);
}

/** What an index holds of an item. */
export function projected(item: Attributes, index: IndexSchema): Attributes {
  if (!index.projected) return item;
  const part: Attributes = {};
  for (const name of index.projected) {
    const value = attribute(item, name);
    if (value !== undefined) setAttribute(part, name, value);
  }
  return part;
}

/** What an index costs when an item changes: nothing if its part stays, twice if its place moves. */
export function indexUnits(
  before: Attributes | undefined,
  after: Attributes | undefined,
  index: IndexSchema,
): number {
  const was = partOf(before, index);
  const is = partOf(after, index);
  if (!was || !is) return was || is ? writeUnits(itemSize(was ?? is ?? {})) : 0;
  if (equals(was, is)) return 0;
  const moved = index.attributes.some(({ name }) => !equals(was[name] ?? null, is[name] ?? null));
  const [old, renewed] = [writeUnits(itemSize(was)), writeUnits(itemSize(is))];
  return moved ? old + renewed : Math.max(old, renewed);
}

function partOf(item: Attributes | undefined, index: IndexSchema): Attributes | undefined {
  if (!item || index.attributes.some(({ name }) => attribute(item, name) === undefined)) return undefined;
  return projected(item, index);
}
