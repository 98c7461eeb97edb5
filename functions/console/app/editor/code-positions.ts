import { ApiError, sentenceOf } from '../api/refused-request.ts';

/** A line of a file, from 1, and what is wrong there. */
export interface CodePosition {
  file: string;
  line: number;
  column: number;
  message: string;
}

/** `component.mjs:12:9` */
export const POSITION = /([\w@./-]+\.[cm]?[jt]s):(\d+)(?::(\d+))?/g;

/** The positions that a refusal of the API names. */
export function codePositionsOf(error: unknown): CodePosition[] {
  if (!(error instanceof ApiError) || error.status !== 400) return [];
  const message = sentenceOf(error);
  return [...message.matchAll(POSITION)].map(([, file = '', line, column = '1']) => ({
    file,
    line: Number(line),
    column: Number(column),
    message,
  }));
}
