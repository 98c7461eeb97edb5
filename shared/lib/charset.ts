/** Names of character sets: https://encoding.spec.whatwg.org/#names-and-labels */
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

const UTF8_LABEL = /^utf-?8$/i;

export interface Charset {
  /** Throws for bytes that are no text of this character set. Keeps a byte order mark. */
  decode(bytes: Uint8Array): string;
  readonly isUtf8: boolean;
  /** Whether it contains ASCII, as all but UTF-16 do. */
  readonly isAscii: boolean;
}

const decoderOf = (label: string) => new TextDecoder(label, { fatal: true, ignoreBOM: true });

const decoder = decoderOf('utf-8');
export const UTF8: Charset = { decode: (bytes) => decoder.decode(bytes), isUtf8: true, isAscii: true };
const marksOrUtf8: Charset = {
  decode: (bytes) => (marked(bytes) ?? decoder).decode(bytes),
  isUtf8: true,
  isAscii: true,
};

/**
 * The character set of a body: by the form's field `_charset_`, else by the `Content-Type`, else by the prolog of XML.
 * UTF-8 if none of them names one, or the name is unknown. A byte order mark is stronger, as in browsers.
 */
export function charsetOf(contentType: string, content: Buffer | string): Charset {
  const label = formLabel(contentType, content) ?? typeLabel(contentType) ?? xmlLabel(content);
  if (label === undefined || UTF8_LABEL.test(label)) return marksOrUtf8;
  try {
    const own = decoderOf(label);
    return {
      decode: (bytes) => (marked(bytes) ?? own).decode(bytes),
      isUtf8: own.encoding === 'utf-8',
      isAscii: !own.encoding.startsWith('utf-16'),
    };
  } catch {
    return marksOrUtf8;
  }
}

function marked([first, second, third]: Uint8Array): ReturnType<typeof decoderOf> | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return decoder;
  if (first === 0xff && second === 0xfe) return decoderOf('utf-16le');
  if (first === 0xfe && second === 0xff) return decoderOf('utf-16be');
  return undefined;
}

/** Most types have no parameters. */
const typeLabel = (contentType: string) => (contentType.includes(';') ? CHARSET.exec(contentType)?.[1] : undefined);

const URLENCODED = /^\s*application\/x-www-form-urlencoded\b/i;

const formLabel = (contentType: string, content: Buffer | string) =>
  URLENCODED.test(contentType) && content.includes('_charset_=')
    ? /(?:^|&)_charset_=([\w.:-]{1,40})(?:&|$)/.exec(content.toString('latin1'))?.[1]
    : undefined;

const LONGEST_PROLOG = 300;
const PROLOG = /^<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/;

/** A prolog that can be read as ASCII is not in UTF-16, whatever it says. */
function xmlLabel(content: Buffer | string): string | undefined {
  const start = typeof content === 'string' ? content : content.subarray(0, LONGEST_PROLOG).toString('latin1');
  const [, label] = PROLOG.exec(start) ?? [];
  return label !== undefined && /^(utf-16|ucs-2|unicode)/i.test(label) ? undefined : label;
}

/** Every repetition has a bound, so that a body with many such names costs no more than a body. */
const PART = /name="_charset_"[^\r\n]{0,100}\r\n(?:[^\r\n]{1,100}\r\n){0,4}\r\n([\w.:-]{1,40})\r\n/;

/**
 * Decodes the fields of a form of several parts, each byte a character, if the field `_charset_` names a character set.
 */
export function partsDecoder(body: Buffer): ((latin1: string) => string) | undefined {
  if (!body.includes('"_charset_"')) return undefined;
  const [, label] = PART.exec(body.toString('latin1')) ?? [];
  try {
    const own = new TextDecoder(label ?? 'utf-8', { ignoreBOM: true });
    return (latin1) => own.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return undefined;
  }
}
