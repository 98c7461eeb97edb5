import { sortable } from './key.ts';
import { readRowKey, writeRowKey, type RowKey } from './row.ts';
import {
  tableIndexes,
  tableKeys,
  type IndexSchema,
  type KeyAttribute,
  type KeySchema,
  type TableSpec,
} from './table-spec.ts';
import { attribute, type Attributes, type Value } from './value.ts';

/** The keys on disk of one table's items. */
export class DiskKeys {
  readonly #prefix: string;
  readonly #keys: KeySchema;
  readonly #indexes: readonly IndexSchema[];
  readonly #timeToLiveAttribute: string | undefined;

  constructor(prefix: string, spec: TableSpec) {
    this.#prefix = prefix;
    this.#keys = tableKeys(spec);
    this.#indexes = tableIndexes(spec);
    this.#timeToLiveAttribute = spec.timeToLiveAttribute;
  }

  keyOf(item: Attributes): string {
    const { hash, range } = this.#keys;
    return writeRowKey(this.#prefix, {
      hash: diskText(item[hash.name], hash),
      range: range ? diskText(item[range.name], range) : '',
      expires: this.expiresOf(item),
      indexes: this.#indexes.flatMap((index) => indexTexts(item, index)),
    });
  }

  read(diskKey: string): RowKey {
    return readRowKey(this.#prefix, diskKey);
  }

  /** Expiry time of an item in epoch seconds; 0: none. */
  expiresOf(item: Attributes): number {
    const name = this.#timeToLiveAttribute;
    const value = name === undefined ? undefined : attribute(item, name);
    return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
  }
}

function indexTexts(item: Attributes, index: IndexSchema): [hash: string, range: string] {
  if (index.attributes.some(({ name }) => attribute(item, name) === undefined)) return ['', ''];
  const { hash, range } = index;
  return [diskText(item[hash.name], hash), range ? diskText(item[range.name], range) : ''];
}

function diskText(value: Value | undefined, { type }: KeyAttribute): string {
  if (type === 'S') return value as string;
  return sortable(value as Value, type);
}
