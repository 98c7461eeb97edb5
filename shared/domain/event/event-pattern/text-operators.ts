import type { Position } from './position.ts';
import { wildcardTest } from './wildcard.ts';

export type TextTest = (text: string) => boolean;

/** Compares texts of the same length, so that a long text of an event is never converted as a whole. */
const equalsIgnoringCase = (wanted: string): TextTest => {
  const lower = wanted.toLowerCase();
  return (text) => text.length === wanted.length && text.toLowerCase() === lower;
};

export const prefixIgnoringCase = (wanted: string): TextTest => {
  const equals = equalsIgnoringCase(wanted);
  return (text) => equals(text.slice(0, wanted.length));
};

export const suffixIgnoringCase = (wanted: string): TextTest => {
  const equals = equalsIgnoringCase(wanted);
  return (text) => equals(text.slice(Math.max(0, text.length - wanted.length)));
};

/** The operators whose argument is a text. */
export const TEXT_OPERATORS: ReadonlyMap<string, (wanted: string, position: Position) => TextTest> = new Map([
  ['prefix', (wanted: string) => (text: string) => text.startsWith(wanted)],
  ['suffix', (wanted: string) => (text: string) => text.endsWith(wanted)],
  ['equals-ignore-case', equalsIgnoringCase],
  ['wildcard', wildcardTest],
]);
