import type { Output } from '../../../infra/embedded/call.ts';
import { decodeAttributes, encodeAttributes } from '../../../infra/embedded/dynamodb/values/attribute-value.ts';
import type { Attributes } from '../../../infra/embedded/dynamodb/values/value.ts';
import type { JsonCodec } from './aws-json.ts';

/** Members that hold attributes, wherever they occur in a request or answer. */
const ATTRIBUTES = new Set([
  'Item',
  'Key',
  'Attributes',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
  'ExpressionAttributeValues',
]);
/** Members that hold lists of attributes. */
const ATTRIBUTE_LISTS = new Set(['Items', 'Keys']);
/** Members whose own members are named after tables. */
const BY_TABLE = new Set(['RequestItems', 'UnprocessedItems', 'UnprocessedKeys']);

type Convert = (attributes: Record<string, unknown>) => Record<string, unknown>;

/** DynamoDB on the wire: typed values, which the service takes and gives as plain ones. Items in errors stay typed. */
export const dynamoDbCodec: JsonCodec = {
  decode: (_operation, json) => convertMembers(json, decodeAttributes),
  encode: (operation, output) => convertMembers(withBatch(operation, output), encode),
};

const encode: Convert = (attributes) => encodeAttributes(attributes as Attributes);

/** `Responses` of a batch are lists of items by table. */
function withBatch(operation: string, output: Output): Output {
  if (operation !== 'BatchGetItem') return output;
  const responses = Object.entries(output.Responses as Record<string, Attributes[]>);
  return {
    ...output,
    Responses: new Encoded(Object.fromEntries(responses.map(([t, items]) => [t, items.map(encode)]))),
  };
}

class Encoded {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  toJSON(): unknown {
    return this.value;
  }
}

function convertMembers(holder: Readonly<Record<string, unknown>>, convert: Convert): Record<string, unknown> {
  return Object.fromEntries(Object.entries(holder).map(([name, value]) => [name, convertMember(name, value, convert)]));
}

function convertMember(name: string, value: unknown, convert: Convert): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Encoded) return value;
  if (ATTRIBUTES.has(name)) return convert(value as Record<string, unknown>);
  if (Array.isArray(value)) {
    if (ATTRIBUTE_LISTS.has(name)) return value.map((each) => convert(each as Record<string, unknown>));
    return value.map((each) => convertMember('', each, convert));
  }
  if (!BY_TABLE.has(name)) return convertMembers(value as Record<string, unknown>, convert);
  const tables = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(tables.map(([table, entries]) => [table, convertMember('', entries, convert)]));
}
