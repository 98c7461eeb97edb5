import { indentJson } from '../../../json/indent-json.ts';

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** The lines of a response; JSON has a line for each value. */
export function responseLines(text: string): readonly string[] {
  try {
    JSON.parse(text);
    return indentJson(text).split('\n');
  } catch {
    return text.split(/\r?\n/);
  }
}

/**
 * The lines of both texts in their order, by their longest common subsequence. A response has at most 1 KB, so the
 * table of lengths is small.
 */
export function lineDiff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  // Each cell is the length for what follows these two lines.
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const isSame = before[i] === after[j];
      const length = isSame ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
      lengths[i]?.fill(length, j, j + 1);
    }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [one, other] = [before[i], after[j]];
    if (one !== undefined && one === other) {
      lines.push({ kind: 'same', text: one });
      i += 1;
      j += 1;
    } else if (one !== undefined && (other === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push({ kind: 'removed', text: one });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: other ?? '' });
      j += 1;
    }
  }
  return lines;
}
