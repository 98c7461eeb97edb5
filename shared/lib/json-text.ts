/** JSON that is passed on as text, which preserves key order, unicode and keys such as `__proto__`. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Like `JSON.stringify`, but inserts the text of every {@link JsonText} unchanged. */
export const toJson = (value: unknown): string =>
  hasJsonText(value) ? withTexts(value) : JSON.stringify(value ?? null);

const hasJsonText = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value instanceof JsonText || Object.values(value).some(hasJsonText));

function withTexts(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map((element) => toJson(element ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join(',')}}`;
}

/** Without its byte order mark, which `JSON.parse` refuses. */
export const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Nesting depth of a JSON text, read without parsing it. */
export const depthOf = (json: string): number => shapeOf(json).depth;

export interface JsonShape {
  depth: number;
  /** Number of values at all levels, approximately. */
  values: number;
}

/** Depth and size of a JSON text, read without parsing it: parsing an object with very many keys is slow. */
export function shapeOf(json: string): JsonShape {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      values += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    } else if (code === COMMA) {
      values += 1;
    }
  }
  return { depth: deepest, values };
}

/** Index of the quote that closes the string opened at `start`; the text's length without such a quote. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}

/** The deepest JSON that is accepted. */
export const MAX_JSON_DEPTH = 256;
/** Values of a body that is no event. No valid configuration has more: its props have at most 64 KB. */
export const MAX_JSON_VALUES = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
