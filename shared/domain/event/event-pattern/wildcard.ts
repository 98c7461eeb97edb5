import type { Position } from './position.ts';

/** A text test of a pattern with `*` for any characters. A backslash escapes `*` and itself. */
export function wildcardTest(pattern: string, position: Position): (text: string) => boolean {
  const literals = literalsOf(pattern, position);
  if (!literals) return () => false;
  const [first = '', ...rest] = literals;
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  const searches = rest.map(createSearch);
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const endOfNext of searches) {
      at = endOfNext(text, at, end);
      if (at < 0) return false;
    }
    return true;
  };
}

/** The texts between the wildcards. Undefined after a refusal. */
function literalsOf(pattern: string, position: Position): string[] | undefined {
  const literals = [''];
  let isAfterWildcard = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index);
    if (character === '*') {
      if (isAfterWildcard) return void position.refuse('must not contain **: one * stands for any characters');
      literals.push('');
    } else {
      const literal = character === '\\' ? pattern.charAt((index += 1)) : character;
      if (character === '\\' && literal !== '*' && literal !== '\\') {
        return void position.refuse('must not contain a backslash, except before * or another backslash');
      }
      literals.push(`${literals.pop() ?? ''}${literal}`);
    }
    isAfterWildcard = character === '*';
  }
  return literals;
}

/**
 * Finds the first occurrence of a text between two positions and returns where it ends, or -1. Knuth-Morris-Pratt:
 * linear for every text and pattern, which `indexOf` and regular expressions are not.
 */
function createSearch(wanted: string): (text: string, from: number, to: number) => number {
  const fallbacks = fallbacksOf(wanted);
  return (text, from, to) => {
    let matched = 0;
    for (let at = from; at < to; at += 1) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = fallbacks[matched - 1] ?? 0;
      if (wanted.charCodeAt(matched) === unit) matched += 1;
      if (matched === wanted.length) return at + 1;
    }
    return -1;
  };
}

/** For each prefix of the text, the length of its longest proper prefix that is also its suffix. */
function fallbacksOf(wanted: string): number[] {
  const fallbacks = [0];
  let matched = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    const unit = wanted.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = fallbacks[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched += 1;
    fallbacks.push(matched);
  }
  return fallbacks;
}
