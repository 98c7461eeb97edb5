import { type Charset, UTF8 } from '../../lib/charset.ts';
import { JsonText, toJson } from '../../lib/json-text.ts';

/** A field of a form: its text, or what was uploaded. */
export type FormField = readonly [name: string, value: string | UploadedFile];

/** A part of a form with a file name, as a component gets it. */
export interface UploadedFile {
  readonly filename: string;
  readonly mimetype: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Text, or base64. */
  readonly content: string;
  readonly isBase64Encoded?: true;
}

/** An object as JSON text, which preserves names such as `__proto__` and the order of members. */
export function objectText(members: Iterable<readonly [string, unknown]>): JsonText {
  let text = '';
  // Concatenation copies a large value once, when the text is first read; `join` would copy it twice.
  for (const [name, value] of members) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${toJson(value)}`;
  return new JsonText(`{${text}}`);
}

const NO_FIELDS = new JsonText('{}');

export const queryText = (query: string): JsonText => (query === '' ? NO_FIELDS : fieldsText(urlencodedFields(query)));

/** Fields as an object; repeated fields become an array. */
export function fieldsText(fields: Iterable<FormField>): JsonText {
  const all = new Map<string, FormField[1][]>();
  for (const [name, value] of fields) {
    const earlier = all.get(name);
    if (earlier) earlier.push(value);
    else all.set(name, [value]);
  }
  return objectText([...all].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** Fields of `application/x-www-form-urlencoded`. The character set also applies to percent-encoded bytes. */
export function urlencodedFields(text: string, charset: Charset = UTF8): Iterable<FormField> {
  if (charset.isUtf8) return new URLSearchParams(text);
  return text.split('&').flatMap((pair) => {
    if (pair === '') return [];
    const equals = pair.indexOf('=');
    const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    return [[unescaped(name, charset), unescaped(value, charset)] as const];
  });
}

/** Bytes that are no text of the character set stay encoded. */
const unescaped = (text: string, charset: Charset): string =>
  text.replaceAll('+', ' ').replaceAll(runOf(charset), (run) => {
    try {
      return charset.decode(Buffer.from(run.replaceAll(/%([0-9a-f]{2})/gi, characterOf), 'latin1'));
    } catch {
      return run;
    }
  });

const characterOf = (_: string, hex: string) => String.fromCharCode(parseInt(hex, 16));

const ESCAPES = /(?:%[0-9a-f]{2})+/gi;
/** A byte after an escape may belong to its character: テ is `%83e` in Shift_JIS. */
const ASCII_WITH_ESCAPES = /(?:%[0-9a-f]{2})(?:%[0-9a-f]{2}|[ -~])*/gi;

const runOf = (charset: Charset): RegExp => (charset.isAscii ? ASCII_WITH_ESCAPES : ESCAPES);
