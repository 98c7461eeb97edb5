import { isListType as isList, readPropValue, type TypedProp } from '../../../../shared/domain/component/prop-value.ts';
import type { FieldDefinition } from './prop-schema.ts';

/** The value of a text, or what is wrong with the text. An undefined value is unset. */
export type Parsed = { value: unknown } | { problem: string };

/** Whether a field has several lines. */
export const isMultiline = ({ type }: FieldDefinition): boolean =>
  isList(type) || ['object', 'any', 'http_request'].includes(type) || !KNOWN.has(type);

/** Types with a field of one line, or with a field of their own. */
const KNOWN = new Set([
  'string',
  'integer',
  'number',
  'boolean',
  'object',
  'any',
  'http_request',
  'app',
  'alert',
  'dir',
  'data_store',
]);

/** Reads the text of a field by its type. Each line of a list is one value. */
export function valueOfText(field: FieldDefinition, text: string): Parsed {
  const { type } = field;
  if (text.trim() === '') return { value: undefined };
  const lines = isList(type) && type !== 'object[]' ? text.split('\n') : [text];
  const values: unknown[] = [];
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const parsed = elementOf(line, type);
    if ('problem' in parsed) return parsed;
    values.push(parsed.value);
  }
  const isJsonList = type === 'object[]' || !isList(type);
  const read = readPropValue(propOf(field), isJsonList ? values[0] : values, { isTyped: true });
  return 'problem' in read ? { problem: `It ${read.problem}.` } : read;
}

/** The members of the declaration that the rule for values reads. */
const propOf = ({ type, options, hasRemoteOptions, defaultValue, min, max }: FieldDefinition): TypedProp => ({
  type,
  options,
  remoteOptions: hasRemoteOptions,
  default: defaultValue,
  min,
  max,
});

const TEXTS = new Set(['string', 'integer', 'number', 'boolean', 'dir', 'data_store']);

/** The text, or the JSON that a text of some types is. */
function elementOf(text: string, type: string): Parsed {
  const element = type === 'object[]' ? type : type.replace(/\[\]$/, '');
  if (TEXTS.has(element)) return { value: element === 'string' ? text : text.trim() };
  return jsonOf(text, element === 'any' ? { value: text } : { problem: 'It must be JSON.' });
}

function jsonOf(text: string, otherwise: Parsed): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return otherwise;
  }
}

/** The text that a field shows for a value. */
export function textOfValue(field: FieldDefinition, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (isList(field.type) && field.type !== 'object[]' && Array.isArray(value))
    return value.map((each) => withoutMarks(each)).join('\n');
  return withoutMarks(value);
}

const withoutMarks = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, typeof value === 'object' ? 2 : 0);
