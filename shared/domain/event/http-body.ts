import type { BodyForm } from './carried-event.ts';
import { type Charset, charsetOf } from '../../lib/charset.ts';
import { fieldsText, type FormField, urlencodedFields } from './form-fields.ts';
import { depthOf, type JsonText, MAX_JSON_DEPTH, toJson, withoutMark } from '../../lib/json-text.ts';

/**
 * Text with a longer JSON form, which is mostly control characters, is passed as base64: as text it is too large for
 * the runner.
 */
const LARGEST_TEXT_JSON_BYTES = 2 * 1024 * 1024;

/** A body after its `Content-Encoding`. */
export interface EncodedBody {
  /** Bytes, or text as the gateway decoded it. */
  readonly content: Buffer | string;
  /** Whether a `Content-Encoding` was decoded, so that headers about the encoded body no longer hold. */
  readonly isDecoded?: boolean;
  /** The parts of a `multipart/form-data` body. */
  readonly parts?: readonly FormField[] | undefined;
}

/** A body as a component gets it. */
export interface ReadBody {
  readonly bodyRaw: string;
  readonly isBase64Encoded: boolean;
  /** How the value follows from `bodyRaw`, or the fields of a form. */
  readonly value: BodyForm | JsonText;
}

const mediaTypeOf = (contentType: string) => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

/**
 * The one rule for bodies: an object or an array in JSON whatever the type says, other JSON values under a JSON type,
 * the fields of a form, else text. Undefined for an empty body.
 */
export function readBody(body: EncodedBody | undefined, contentType: string): ReadBody | undefined {
  if (body === undefined || body.content.length === 0) return undefined;
  const charset = charsetOf(contentType, body.content);
  const text = textOf(body.content, charset);
  const mediaType = mediaTypeOf(contentType);
  if (text !== undefined && isJson(text, mediaType)) return { bodyRaw: text, isBase64Encoded: false, value: 'json' };
  return {
    bodyRaw: text ?? Buffer.from(body.content).toString('base64'),
    isBase64Encoded: text === undefined,
    value: formOf(body, { text, mediaType, charset }) ?? 'text',
  };
}

function textOf(content: Buffer | string, charset: Charset): string | undefined {
  try {
    // The gateway decoded the text as UTF-8, which is undone for another character set.
    const text = typeof content === 'string' && charset.isUtf8 ? content : charset.decode(Buffer.from(content));
    // A UTF-16 unit has at most 6 bytes in JSON: \u0000.
    const isSmall = text.length * 6 <= LARGEST_TEXT_JSON_BYTES;
    return isSmall || Buffer.byteLength(toJson(text)) <= LARGEST_TEXT_JSON_BYTES ? text : undefined;
  } catch {
    return undefined;
  }
}

const isJsonType = (mediaType: string) => mediaType === 'application/json' || /^[^/]+\/[^/]+\+json$/.test(mediaType);

/** After a byte order mark, which `JSON.parse` refuses. */
const COLLECTION = /^\uFEFF?[ \t\r\n]*[[{]/;

function isJson(text: string, mediaType: string): boolean {
  if (!COLLECTION.test(text) && !isJsonType(mediaType)) return false;
  if (depthOf(text) > MAX_JSON_DEPTH) return false;
  try {
    JSON.parse(withoutMark(text));
    return true;
  } catch {
    return false;
  }
}

function formOf(
  { parts }: EncodedBody,
  { text, mediaType, charset }: { text: string | undefined; mediaType: string; charset: Charset },
): JsonText | undefined {
  const isUrlencoded = mediaType === 'application/x-www-form-urlencoded' && text !== undefined;
  const fields = isUrlencoded ? urlencodedFields(withoutMark(text), charset) : parts;
  if (!fields) return undefined;
  const form = fieldsText(fields);
  const isSmall = form.text.length * 3 <= LARGEST_TEXT_JSON_BYTES;
  return isSmall || Buffer.byteLength(form.text) <= LARGEST_TEXT_JSON_BYTES ? form : undefined;
}
