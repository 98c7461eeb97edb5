const INDENT = '  ';

/** Strings, punctuation, and numbers and names. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const isOpening = (token: string | undefined): boolean => token === '{' || token === '[';
const isClosing = (token: string | undefined): boolean => token === '}' || token === ']';

/**
 * Adds line breaks and indents to a JSON text, and changes nothing else: parsing would round large numbers and change
 * the order of members.
 */
export function indentJson(json: string): string {
  const parts: string[] = [];
  let depth = 0;
  let last: string | undefined;
  for (const token of json.match(TOKENS) ?? []) {
    if (isClosing(token)) depth -= 1;
    const isFirst = isOpening(last);
    if (last === ',' || isFirst !== isClosing(token)) {
      // An empty object or array stays on its line.
      if (last === ',' || isFirst || isClosing(token)) parts.push(`\n${INDENT.repeat(depth)}`);
    }
    parts.push(token === ':' ? ': ' : token);
    if (isOpening(token)) depth += 1;
    last = token;
  }
  return parts.join('');
}
