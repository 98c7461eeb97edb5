/** Names of character sets: https://encoding.spec.whatwg.org/#names-and-labels */
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

const UTF8_LABEL = /^utf-?8$/i;

export interface Charset {
  /** Throws for bytes that are no text of this character set. Keeps a byte order mark. */
  decode(bytes: Uint8Array): string;
  readonly isUtf8: boolean;
}

const decoderOf = (label: string) => new TextDecoder(label, { fatal: true, ignoreBOM: true });

const decoder = decoderOf('utf-8');
export const UTF8: Charset = { decode: (bytes) => decoder.decode(bytes), isUtf8: true };

/** The character set that a `Content-Type` names; UTF-8 if it names none, or an unknown one. */
export function charsetOf(contentType: string): Charset {
  // Most types have no parameters.
  if (!contentType.includes(';')) return UTF8;
  const [, label = 'utf-8'] = CHARSET.exec(contentType) ?? [];
  if (UTF8_LABEL.test(label)) return UTF8;
  try {
    const own = decoderOf(label);
    // A byte order mark is stronger than the label, as in browsers.
    return { decode: (bytes) => (marked(bytes) ?? own).decode(bytes), isUtf8: own.encoding === 'utf-8' };
  } catch {
    return UTF8;
  }
}

function marked([first, second, third]: Uint8Array): ReturnType<typeof decoderOf> | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return decoder;
  if (first === 0xff && second === 0xfe) return decoderOf('utf-16le');
  if (first === 0xfe && second === 0xff) return decoderOf('utf-16be');
  return undefined;
}
