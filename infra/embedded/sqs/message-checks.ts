import { AwsError } from '../call.ts';
import { invalidParameters, invalidValue } from './errors.ts';
import { isRecord, wrongType } from './input.ts';
import type { MessageAttribute, MessageAttributes } from './queue/message.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const MAX_ATTRIBUTES = 10;

/** Everything but #x9 | #xA | #xD | #x20–#xD7FF | #xE000–#xFFFD | #x10000–#x10FFFF. */
const REFUSED =
  // oxlint-disable-next-line no-control-regex -- the expression is about control characters
  /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Alphanumeric and punctuation, 1–128. */
const GROUP_OR_DEDUPLICATION_ID = /^[\x21-\x7E]{1,128}$/;

const ATTRIBUTE_NAME = /^(?!aws\.|amazon\.)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/i;

export function checkContents(text: string): void {
  if (REFUSED.test(text)) {
    throw new AwsError(
      'InvalidMessageContents',
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF.',
    );
  }
}

export function checkSize(size: number, maximum: number): void {
  if (size > maximum) throw invalidParameters(`Message must be shorter than ${maximum} bytes.`);
}

export function checkId(parameter: 'MessageGroupId' | 'MessageDeduplicationId', value: string): void {
  if (!GROUP_OR_DEDUPLICATION_ID.test(value)) {
    const reason = `${parameter} can only include alphanumeric and punctuation characters. 1 to 128 in length.`;
    throw invalidValue(parameter, value, reason);
  }
}

/** A checked copy of `MessageAttributes`, or undefined when there are none. */
export function readAttributes(value: unknown): MessageAttributes | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw wrongType('MessageAttributes', 'Map');
  const names = Object.keys(value);
  if (names.length === 0) return undefined;
  if (names.length > MAX_ATTRIBUTES) {
    throw new AwsError(
      'InvalidParameterValue',
      `Number of message attributes [${names.length}] exceeds the allowed maximum [${MAX_ATTRIBUTES}].`,
    );
  }
  return Object.fromEntries(names.map((name) => [name, readAttribute(name, value[name])]));
}

function readAttribute(name: string, value: unknown): MessageAttribute {
  if (name.length > 256 || !ATTRIBUTE_NAME.test(name)) {
    throw new AwsError('InvalidParameterValue', `The message attribute name '${name}' is invalid.`);
  }
  if (!isRecord(value)) throw wrongType('MessageAttributes', 'Map');
  const { DataType, StringValue, BinaryValue } = value;
  if (typeof DataType !== 'string' || !/^(String|Number|Binary)(\.|$)/.test(DataType) || DataType.length > 256) {
    throw new AwsError(
      'InvalidParameterValue',
      `The message attribute '${name}' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.`,
    );
  }
  if (DataType.startsWith('Binary')) {
    if (!(BinaryValue instanceof Uint8Array) || BinaryValue.length === 0) throw emptyAttribute(name, 'Binary');
    return { DataType, BinaryValue: Uint8Array.from(BinaryValue) };
  }
  if (typeof StringValue !== 'string' || StringValue === '') throw emptyAttribute(name, 'String');
  checkContents(StringValue);
  if (DataType.startsWith('Number') && !Number.isFinite(Number(StringValue))) {
    throw new AwsError(
      'InvalidParameterValue',
      `Can't cast the value of message (user) attribute '${name}' to a number.`,
    );
  }
  return { DataType, StringValue };
}

const emptyAttribute = (name: string, kind: string) =>
  new AwsError(
    'InvalidParameterValue',
    `The message attribute '${name}' must contain a non-empty message attribute value for message attribute type '${kind}'.`,
  );

/** Bytes of names, types and values. */
export function sizeOfAttributes(attributes: MessageAttributes | undefined): number {
  let size = 0;
  for (const [name, { DataType, StringValue, BinaryValue }] of Object.entries(attributes ?? {})) {
    size += Buffer.byteLength(name) + Buffer.byteLength(DataType);
    size += StringValue === undefined ? (BinaryValue?.length ?? 0) : Buffer.byteLength(StringValue);
  }
  return size;
}
