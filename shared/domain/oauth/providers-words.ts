import { cut } from '../../lib/cut.ts';

const LONGEST_WORDS = 300;

/**
 * A provider's text for a sentence of ours: one line, without quotes and control characters, at most 300 characters.
 */
export const providersWords = (text: string): string =>
  cut(
    text
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .replaceAll('"', "'")
      .trim(),
    LONGEST_WORDS,
  );
