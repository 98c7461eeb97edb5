import { cut } from '../../../../shared/lib/cut.ts';
import { entriesOf, isScalarKind, jsonKind } from '../json/json-node.ts';

interface NamedScalar {
  name: string;
  value: string;
  isText: boolean;
}

/** Scalars that a line has. */
const MAX_SCALARS = 6;
const MAX_VALUE_CHARACTERS = 60;
/** Objects and arrays below the first level that are looked into. */
const MAX_DEPTH = 4;

/**
 * The first scalars of an event's data as one line, `status: paid · total: 12.5`; empty without any. Those of the first
 * level come first.
 */
export const firstScalars = (json: string): string =>
  scalarsOf(json)
    .map(({ name, value }) => (name === '' ? value : `${name}: ${value}`))
    .join(' · ');

/** The first values in a line, `order.created 4`; a first number keeps its name, `order 16`. */
export function fewWords(json: string, count: number): string {
  const scalars = scalarsOf(json).slice(0, count);
  const [first] = scalars;
  if (first?.isText === false) return `${first.name} ${first.value}`.trim();
  return scalars.map(({ value }) => value).join(' ');
}

/** The first value. */
export const firstValue = (json: string): string => scalarsOf(json)[0]?.value ?? '';

function scalarsOf(json: string): readonly NamedScalar[] {
  const scalars: NamedScalar[] = [];
  let level = [{ path: '', json }];
  for (let depth = 0; depth < MAX_DEPTH && scalars.length < MAX_SCALARS; depth += 1) {
    const below: typeof level = [];
    for (const { path, json: text } of level)
      for (const { name, json: value } of entriesOf(text)) {
        const full = pathOf(path, name);
        if (!isScalarKind(jsonKind(value))) below.push({ path: full, json: value });
        else if (isTelling(value))
          scalars.push({ name: full, value: valueText(value), isText: jsonKind(value) === 'string' });
      }
    level = below.slice(0, MAX_SCALARS);
  }
  return scalars.slice(0, MAX_SCALARS);
}

/** `order.id`. Elements of an array have the name of the array. */
function pathOf(path: string, name: string | undefined): string {
  if (name === undefined) return path;
  const own = textOf(name);
  return path === '' ? own : `${path}.${own}`;
}

const isTelling = (json: string): boolean => json !== 'null' && json !== '""';

const textOf = (json: string): string => String(JSON.parse(json));

/** Numbers keep their text: parsing would round large ones. */
function valueText(json: string): string {
  const text = jsonKind(json) === 'string' ? textOf(json).replace(/\s+/g, ' ') : json;
  return text.length > MAX_VALUE_CHARACTERS ? `${cut(text, MAX_VALUE_CHARACTERS)}…` : text;
}
