import { rawElements, rawPairs } from '../../../../shared/lib/raw-json.ts';

/** A member of an object or an element of an array; only the former has a name, which is JSON text with its quotes. */
export interface JsonEntry {
  name: string | undefined;
  json: string;
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

/** The kind of a JSON text. `true`, `false` and `null` are words. */
export function jsonKind(json: string): JsonKind {
  const first = json.trimStart()[0] ?? '';
  if (first === '{') return 'object';
  if (first === '[') return 'array';
  if (first === '"') return 'string';
  return /[-\d]/.test(first) ? 'number' : 'word';
}

export const isScalarKind = (kind: JsonKind): boolean => kind !== 'object' && kind !== 'array';

/** The entries of an object or of an array, one level deep, as they were sent. */
export function entriesOf(json: string): readonly JsonEntry[] {
  const kind = jsonKind(json);
  if (kind === 'object') return rawPairs(json).map(([name, value]) => ({ name, json: value }));
  return kind === 'array' ? rawElements(json).map((value) => ({ name: undefined, json: value })) : [];
}
