/**
 * The last entry that is at a position or before it; empty without one. `numbers` are sorted entries of `size` numbers
 * each, and `compare` is positive for an entry after the position.
 */
export function lastUpTo(
  numbers: readonly number[],
  size: number,
  compare: (entry: readonly number[]) => number,
): readonly number[] {
  const entryAt = (index: number) => numbers.slice(index * size, (index + 1) * size);
  let [low, high] = [0, numbers.length / size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(entryAt(middle)) > 0) high = middle;
    else low = middle + 1;
  }
  return low === 0 ? [] : entryAt(low - 1);
}
