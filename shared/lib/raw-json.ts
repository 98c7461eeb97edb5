/*
 * Parts of a JSON text as they were sent. Parsing and writing an event again would change the order of its members and
 * its large numbers, and with them its signature.
 */

export const rawElements = (json: string): string[] => partsOf(json);

export const rawMembers = (json: string): ReadonlyMap<string, string> =>
  new Map(rawPairs(json).map(([name, value]) => [String(JSON.parse(name)), value]));

/** The texts of an object's names, with their quotes, and of their values. */
export const rawPairs = (json: string): [name: string, value: string][] =>
  partsOf(json).map((part) => {
    const end = closingQuote(part, 0);
    return [part.slice(0, end + 1), part.slice(part.indexOf(':', end) + 1).trim()];
  });

/** Splits what is between the outer brackets at its commas. */
function partsOf(json: string): string[] {
  const inner = json.trim().slice(1, -1);
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const character = inner[at];
    if (character === '"') at = closingQuote(inner, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(inner.slice(start, at).trim());
      start = at + 1;
    }
  }
  const last = inner.slice(start).trim();
  return last === '' ? parts : [...parts, last];
}

/** Index of the closing quote of the string that opens at `start`. */
function closingQuote(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
