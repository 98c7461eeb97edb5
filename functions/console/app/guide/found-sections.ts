/** A part of a page below one heading. */
export interface SearchedSection {
  page: string;
  title: string;
  /** Empty for the part before the first heading. */
  anchor: string;
  heading: string;
  text: string;
}

export interface FoundSection extends SearchedSection {
  /** The text around the first word. */
  excerpt: string;
}

const SHOWN = 20;
const EXCERPT = { before: 40, after: 100 };

/** Sections that have every word: first those with words in the heading, then those with words in the page's title. */
export function foundSections(
  sections: readonly SearchedSection[],
  typed: string,
): { found: readonly FoundSection[]; total: number } {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { found: [], total: 0 };
  const wordsIn = (text: string): number => words.filter((word) => text.toLowerCase().includes(word)).length;
  const weightOf = ({ heading, title }: SearchedSection): number => 2 * wordsIn(heading) + wordsIn(title);
  const found = sections
    .filter(({ title, heading, text }) => wordsIn(`${title} ${heading} ${text}`) === words.length)
    .sort((a, b) => weightOf(b) - weightOf(a));
  return {
    found: found.slice(0, SHOWN).map((section) => ({ ...section, excerpt: excerptOf(section.text, words) })),
    total: found.length,
  };
}

function excerptOf(text: string, words: readonly string[]): string {
  const starts = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at !== -1);
  const at = Math.min(text.length, ...starts);
  const from = starts.length === 0 ? 0 : Math.max(0, at - EXCERPT.before);
  const part = text.slice(from, from + EXCERPT.before + EXCERPT.after);
  return `${from > 0 ? '…' : ''}${part}${from + part.length < text.length ? '…' : ''}`;
}
