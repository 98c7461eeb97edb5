import type { ComponentChildren } from 'preact';

const SPACES = /(\s+)/;
/** Before an option. */
const OPTION = /(\s+)(?=-)/;

const wordsOf = (text: string) =>
  text.split(SPACES).map((part, n) => (n % 2 === 0 ? <Word key={n}>{part}</Word> : part));

const Word = ({ children }: { children: ComponentChildren }) => <span class="word">{children}</span>;

/**
 * A command line. It breaks before its options first, then between its words, and not after the hyphens of an option.
 */
export const CommandText = ({ children: text }: { children: string }) => (
  <>{text.split(OPTION).map((part, n) => (n % 2 === 0 ? <Word key={n}>{wordsOf(part)}</Word> : part))}</>
);
