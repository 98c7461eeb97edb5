const HEX = String.raw`[\da-fA-F]`;
/** An address within an address encodes the percent sign itself. */
const PERCENT = '%(?:25){0,3}';
/** JSON in JSON doubles backslashes; JSON in an address percent-encodes them. */
const BACKSLASHES = String.raw`(?:\\|${PERCENT}5[cC]){1,64}`;
/**
 * A run of backslashes and the character that it escapes. The console shows a text of several lines as a sum of texts.
 */
const JSON_ESCAPE = String.raw`${BACKSLASHES}(?:u${HEX}{4}|n["'\x60] \+\s{1,80}["'\x60]|[nrtbf])?`;
/** One character in UTF-8. */
const PERCENT_ESCAPE = String.raw`${PERCENT}${HEX}{2}(?:${PERCENT}[89abAB]${HEX}){0,3}`;
/** Every repetition is bounded, so that reading is linear in the text. */
const ESCAPE = new RegExp(`${JSON_ESCAPE}|${PERCENT_ESCAPE}`, 'g');
const CHARACTER = new RegExp(`(${JSON_ESCAPE}|${PERCENT_ESCAPE})|[^]`, 'g');

const LEADING_BACKSLASHES = new RegExp(`^${BACKSLASHES}`);
const PERCENT_SIGN = new RegExp(`${PERCENT}(?=..(?:%|$))`, 'g');
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/**
 * The text with JSON escapes and percent-encoding read, at every depth. Backslashes are left out, since their number
 * depends on the depth; a form writes a space as `+`, so both are a space.
 */
export const unescaped = (text: string): string => text.replace(ESCAPE, read).replaceAll('+', ' ');

/** For each character of the unescaped text where it begins in the text itself; the last one is the end. */
export function startsOf(text: string): number[] {
  const starts: number[] = [];
  let start: number | undefined;
  for (const { 0: character, 1: escape, index } of text.matchAll(CHARACTER)) {
    // Backslashes belong to the character after them.
    start ??= index;
    const { length } = escape === undefined ? character : read(escape);
    for (let left = length; left > 0; left -= 1) starts.push(start);
    if (length > 0) start = undefined;
  }
  starts.push(start ?? text.length);
  return starts;
}

function read(escape: string): string {
  const code = escape.replace(LEADING_BACKSLASHES, '');
  if (code.startsWith('%')) return Buffer.from(code.replace(PERCENT_SIGN, ''), 'hex').toString();
  const unit = code.startsWith('u') ? String.fromCharCode(parseInt(code.slice(1), 16)) : CONTROLS[code.slice(0, 1)];
  return unit === undefined || unit === '\\' ? '' : unit;
}
