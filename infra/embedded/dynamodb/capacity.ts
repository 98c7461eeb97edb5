import { equals } from './compare.ts';
import { type IndexSchema } from './table-spec.ts';
import { attribute, itemSize, setAttribute, type Attributes } from './value.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html */
const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;

/** One unit per started KB. A missing item costs one unit. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
}

/** One unit per started 4 KB; an eventually consistent read costs half. */
export function readUnits(bytes: number, consistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (consistent ? 1 : 0.5);
}

/** The attributes of an item that an index holds. */
export function projected(item: Attributes, index: IndexSchema): Attributes {
  if (!index.projected) return item;
  const part: Attributes = {};
  for (const name of index.projected) {
    const value = attribute(item, name);
    if (value !== undefined) setAttribute(part, name, value);
  }
  return part;
}

/** Units of an index for a changed item: none if the index holds the same attributes, twice if the index key changes. */
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
