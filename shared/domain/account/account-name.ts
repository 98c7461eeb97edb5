import { cut } from '../../lib/cut.ts';
import { LONGEST, Name } from '../text.ts';

export const AccountName = Name.min(1, 'must not be empty');

/** The n-th candidate for a name: itself, then with suffix `-1`, `-2` …, within the length limit. */
function numberedName(name: string, n: number): string {
  if (n === 0) return name;
  const suffix = `-${n}`;
  return `${cut(name, LONGEST.name - suffix.length)}${suffix}`;
}

/** The first candidate that no other account of the app has. */
export function freeAccountName(name: string, inUse: ReadonlySet<string>): string {
  let n = 0;
  while (inUse.has(numberedName(name, n))) n += 1;
  return numberedName(name, n);
}
