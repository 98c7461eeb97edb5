/** The texts of the elements of a JSON array, unchanged. The text must be a valid JSON array. */
export function elementTexts(array: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  const end = (at: number) => {
    const text = array.slice(start, at).trim();
    if (text !== '') elements.push(text);
    start = at + 1;
  };
  for (const { 0: token, index } of array.matchAll(TOKENS)) {
    if (token === '[' || token === '{') {
      depth += 1;
      if (depth === 1) start = index + 1;
    } else if (token === ']' || token === '}') {
      depth -= 1;
      if (depth === 0) end(index);
    } else if (token === ',' && depth === 1) {
      end(index);
    }
  }
  return elements;
}

/** Strings, as they may contain the other tokens, and what structures a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},]/g;
