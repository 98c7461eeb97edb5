import { sortableText } from './compare.ts';
import { validationException } from '../../common-errors.ts';
import { invalidParameter } from '../errors.ts';
import { type KeyAttribute, type KeySchema } from '../table-spec.ts';
import { attribute, textSize, typeOf, type Attributes, type Value } from './value.ts';

const MAX_HASH_BYTES = 2048;
const MAX_RANGE_BYTES = 1024;

/** The position of an item: its partition, and a text that sorts like its sort key in DynamoDB. */
interface Position {
  readonly partition: string;
  readonly sort: string;
}

export function sortable(value: Value): string {
  return sortableText(value as string);
}

export function positionOf(item: Attributes, { hash, range }: KeySchema): Position {
  return {
    partition: sortable(item[hash.name] as Value),
    sort: sortable(item[range.name] as Value),
  };
}

/** Checks the key of a new item. */
export function checkItemKeys(item: Attributes, keys: KeySchema): void {
  for (const key of keys.attributes) {
    const value = attribute(item, key.name);
    if (value === undefined) throw invalidParameter(`Missing the key ${key.name} in the item`);
    const type = typeOf(value);
    if (type !== key.type) {
      throw invalidParameter(`Type mismatch for key ${key.name} expected: ${key.type} actual: ${type}`);
    }
    checkKeyValue(value, key, key === keys.hash, 'are not valid.');
  }
}

/** Checks the key of a request: it must have exactly the key attributes of the table, with their types. */
export function checkKey(key: Attributes, keys: KeySchema): void {
  const { attributes } = keys;
  if (Object.keys(key).length !== attributes.length) throw notTheSchema();
  for (const part of attributes) checkKeyPart(key, part, part === keys.hash);
}

export function checkKeyPart(key: Attributes, part: KeyAttribute, isHash: boolean): void {
  const value = attribute(key, part.name);
  if (value === undefined || typeOf(value) !== part.type) throw notTheSchema();
  checkKeyValue(value, part, isHash, 'were invalid:');
}

export function notTheSchema(): Error {
  return validationException('The provided key element does not match the schema');
}

function checkKeyValue(value: Value, { name }: KeyAttribute, isHash: boolean, problem: string): void {
  const size = textSize(value as string);
  if (size === 0) {
    throw validationException(
      `One or more parameter values ${problem} The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
  if (isHash && size > MAX_HASH_BYTES) {
    throw invalidParameter('Size of hashkey has exceeded the maximum size limit of2048 bytes');
  }
  if (!isHash && size > MAX_RANGE_BYTES) {
    throw invalidParameter('Aggregated size of all range keys has exceeded the size limit of 1024 bytes');
  }
  // Keys on disk are UTF-8: two different malformed texts could become the same key.
  if (!(value as string & { isWellFormed(): boolean }).isWellFormed()) {
    throw invalidParameter(`The key ${name} is not valid Unicode`);
  }
}
