/** Of Base64 only what is long enough to be told from anything else. */
export const LONG = 12;

/**
 * Backslashes in a row: JSON in JSON doubles them, so this is six deep. Bounded and from the first on, or long rows of them would be read
 * over and over.
 */
const DEEPEST = 64;
const FIRST = '(?<!\\\\)';
const SLASHES = `${FIRST}\\\\{1,${DEEPEST}}`;
/** An address within an address writes the sign itself so. */
const PERCENT = '%(?:25){0,3}';

/** Source of an expression that finds a value in its characters or as a part of Base64, which is how names and passwords travel. */
export const spelled = (value: string): string =>
  alternatives([inCharacters(value), ...base64Cores(value).map(escaped)]);

/** As a value is written before somebody encodes all of a text: as it is, in JSON, in JSON within JSON, in an address or a form. */
export function written(value: string): string[] {
  const json = inJson(value);
  const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
  // A part of a character, which no address can hold, is a text all the same.
  const address = encodeURIComponent(Buffer.from(value).toString());
  const form = new URLSearchParams([['', value]]).toString().slice(1);
  return [...new Set([value, json, inJson(json), ascii, inJson(ascii), address, form])];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A row of backslashes with what follows, which may itself be escaped by some more of them. */
const ROW = /\\+[^\\]?|[^\\]/gu;

/**
 * Source of an expression that finds a value however its characters are written: as they are, escaped in JSON or by the console (up to six
 * times), in an address, in XML, or as bytes that were read as Latin-1.
 */
export const inCharacters = (value: string): string =>
  (value.match(ROW) ?? []).map((part) => (part.startsWith('\\') ? row(part) : character(part))).join('');

function row(part: string): string {
  const next = part.replace(/^\\+/, '');
  const count = part.length - next.length;
  const inAddress = `(?:${PERCENT}5[Cc]|${SLASHES}u005[Cc]){${count}}`;
  return alternatives([
    `${FIRST}\\\\{${count},${count * DEEPEST}}${next === '' ? '' : character(next, '')}`,
    `${inAddress}${next === '' ? '' : character(next)}`,
  ]);
}

export const alternatives = (sources: readonly string[]): string => `(?:${sources.join('|')})`;

/** As JSON and JavaScript write them. */
const LETTERS: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&(?:apos|#39|#x27);',
};
/** The console shows texts of several lines as a sum of them. */
const NEXT_LINE = `(?:["'\`] \\+\\s+["'\`])?`;

/** Most characters are written in one way only. */
function character(one: string, slashes = SLASHES): string {
  if (/[0-9A-Za-z]/.test(one)) return one;
  const bytes = Buffer.from(one);
  const forms = [
    escaped(one),
    [...bytes].map((byte) => PERCENT + anyCase(hex(byte, 2))).join(''),
    [...one.split('')]
      .map((unit, index) => `${index === 0 ? slashes : SLASHES}u${anyCase(hex(unit.charCodeAt(0), 4))}`)
      .join(''),
  ];
  if (bytes.length > 1) forms.push(escaped(bytes.toString('latin1')));
  if (one < ' ') forms.push(`${slashes}x${anyCase(hex(one.charCodeAt(0), 2))}`);
  if (one === ' ') forms.push('\\+');
  const letter = LETTERS[one] ?? (/["'`/]/.test(one) ? escaped(one) : undefined);
  if (letter !== undefined) forms.push(`${slashes}${letter}`);
  const entity = ENTITIES[one];
  if (entity !== undefined) forms.push(entity);
  return alternatives(forms) + (one === '\n' ? NEXT_LINE : '');
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
const anyCase = (digits: string): string =>
  digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** What of the Base64 depends on the value alone, wherever in the encoded text it begins. */
export function base64Cores(value: string): string[] {
  const bytes = Buffer.from(value);
  const cores = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const long = cores.filter((core) => core.length >= LONG);
  return [...new Set([...long, ...long.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'))])];
}

const BEGINNING = '(?<![^])';
const END = '(?![^])';

/** The value between these: looked for first, and only then at what is around it, which is many times faster. */
function between(value: string, places: readonly (readonly [before: string, after: string])[]): string {
  const form = inCharacters(value);
  return form + alternatives(places.map(([before, after]) => `(?<=${before}${form})${after}`));
}

/** Where a short value is told from ordinary text: between quotes, as the whole text, or as all that an error says. */
export const standing = (value: string): string =>
  between(value, [
    [`(?:["'\`]|%22)`, `(?=\\\\*["'\`]|%22)`],
    [BEGINNING, END],
    ['Error: ', `(?=\\n|${END})`],
  ]);

/** A short value as a word of its own; what is before it may be an escaped character. */
export const aWord = (value: string): string =>
  between(value, [[`(?:${BEGINNING}|[^0-9A-Za-z]|\\\\[nrt]|%[0-9A-Fa-f]{2})`, '(?![0-9A-Za-z])']]);

/** Lines of a text that are long enough to be hidden when they stand alone, as the console may show them. */
export const longLines = (value: string): string[] =>
  value.split(/\r?\n/).filter((line) => line.length >= LONG && line !== value);
