import { type JsonCodec } from '../wire/aws-json.ts';
import { queryError } from './errors.ts';
import { isRecord } from './input.ts';

/** How SQS differs from plain AWS JSON: binary message attributes, and the query-era error code in a header. */
export const sqsCodec: JsonCodec = {
  decode(operation, json) {
    if (operation === 'SendMessage') return decodeAttributes(json);
    if (operation !== 'SendMessageBatch' || !Array.isArray(json['Entries'])) return json;
    const Entries = json['Entries'].map((entry: unknown) =>
      isRecord(entry) ? decodeAttributes(entry) : entry,
    );
    return { ...json, Entries };
  },
  errorHeaders: (error) => ({ 'x-amzn-query-error': queryError(error) }),
};

function decodeAttributes(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { MessageAttributes } = input;
  if (!isRecord(MessageAttributes)) return { ...input };
  const decoded = Object.entries(MessageAttributes).map(([name, attribute]) => {
    if (!isRecord(attribute) || typeof attribute['BinaryValue'] !== 'string') return [name, attribute];
    return [name, { ...attribute, BinaryValue: Buffer.from(attribute['BinaryValue'], 'base64') }];
  });
  return { ...input, MessageAttributes: Object.fromEntries(decoded) };
}
