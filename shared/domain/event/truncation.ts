import { cut } from '../../lib/cut.ts';
import { ERRORS_STREAM, type StreamName } from './stream.ts';

/** Event data up to this size, in bytes of UTF-8, is shown whole. */
export const SUMMARY_BYTES = 1_024;

/**
 * The summary of an event, as JSON text of at most {@link SUMMARY_BYTES}: complete, or shortened with the same
 * top-level keys. Throws a SyntaxError for a longer text that is not JSON.
 */
export function summarise(json: string, stream?: StreamName): string {
  if (json.length <= SUMMARY_BYTES && byteLength(json) <= SUMMARY_BYTES) return json;
  const event: unknown = JSON.parse(json);
  const rendered = stream === ERRORS_STREAM ? renderError(event) : undefined;
  return rendered ?? renderWithin(event, SUMMARY_BYTES) ?? '{}';
}

interface Detail {
  depth: number;
  /** Maximum elements of an array, and members of an object below the top level. */
  members: number;
  characters: number;
}

/** Levels of detail in descending order; the first rendering that fits is used. */
const DETAILS: readonly Detail[] = [
  { depth: 6, members: 50, characters: 600 },
  { depth: 5, members: 30, characters: 400 },
  { depth: 5, members: 20, characters: 200 },
  { depth: 4, members: 10, characters: 100 },
  { depth: 3, members: 6, characters: 50 },
  { depth: 2, members: 4, characters: 30 },
  { depth: 2, members: 2, characters: 15 },
  { depth: 1, members: 1, characters: 10 },
];

function renderWithin(value: unknown, bytes: number): string | undefined {
  const rendering = new Rendering(bytes);
  for (const detail of DETAILS) {
    const rendered = rendering.with(value, detail);
    if (rendered !== undefined && byteLength(rendered) <= bytes) return rendered;
  }
  return firstMembers(value, bytes);
}

/** For objects with very many keys: as many members as fit, without their content. */
function firstMembers(value: unknown, bytes: number): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  let members = '';
  for (const name of Object.keys(value)) {
    const member = valueOf(value, name);
    const next = `${members === '' ? '' : ','}${JSON.stringify(name)}:${contentless(member)}`;
    if (byteLength(members) + byteLength(next) + 2 > bytes) break;
    members += next;
  }
  return `{${members}}`;
}

function contentless(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value, 0));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? '[]' : '{}';
}

/**
 * Renders a value in several levels of detail. A rendering ends as soon as it is too long, and the names of an object
 * are listed once, so that an event with 100,000 keys does not take a second.
 */
class Rendering {
  readonly #limit: number;
  readonly #names = new Map<object, readonly string[]>();
  #text = '';

  constructor(bytes: number) {
    this.#limit = bytes;
  }

  /** Undefined when the rendering is too long. */
  with(value: unknown, detail: Detail): string | undefined {
    this.#text = '';
    return this.#value(value, detail, detail.depth) ? this.#text : undefined;
  }

  /** A text has at least one byte per character. */
  #add(text: string): boolean {
    this.#text += text;
    return this.#text.length <= this.#limit;
  }

  #value(value: unknown, detail: Detail, depth: number): boolean {
    if (typeof value === 'string') return this.#add(JSON.stringify(shortened(value, detail.characters)));
    if (typeof value !== 'object' || value === null) return this.#add(JSON.stringify(value));
    if (depth === 0) return this.#add(contentless(value));
    return Array.isArray(value) ? this.#array(value, detail, depth) : this.#object(value, detail, depth);
  }

  #array(elements: readonly unknown[], detail: Detail, depth: number): boolean {
    const isShort = elements
      .slice(0, detail.members)
      .every((element, index) => this.#add(index === 0 ? '[' : ',') && this.#value(element, detail, depth - 1));
    return isShort && this.#add(elements.length === 0 || detail.members === 0 ? '[]' : ']');
  }

  #object(value: object, detail: Detail, depth: number): boolean {
    const all = this.#namesOf(value);
    const kept = depth === detail.depth ? all : all.slice(0, detail.members);
    const isShort = kept.every(
      (name, index) =>
        this.#add(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`) &&
        this.#value(valueOf(value, name), detail, depth - 1),
    );
    return isShort && this.#add(kept.length === 0 ? '{}' : '}');
  }

  #namesOf(value: object): readonly string[] {
    let names = this.#names.get(value);
    if (!names) this.#names.set(value, (names = Object.keys(value)));
    return names;
  }
}

const valueOf = (value: object, name: string): unknown => Reflect.get(value, name);

/** Lengths to which the error's other texts are cut, when even an empty stack does not fit. */
const ERROR_CHARACTERS = [SUMMARY_BYTES, 200, 60, 20] as const;

/**
 * Keeps `error` and `original_context`; shortens `original_event` first, then the stack, then the message. Undefined
 * when the event is not an error event, or its context alone is too large.
 */
function renderError(event: unknown): string | undefined {
  const { original_event: original, original_context: context, error } = record(event);
  if (original === undefined || context === undefined || error === undefined) return undefined;
  const { stack, ...named } = record(error);
  const wholeStack = typeof stack === 'string' ? stack : '';
  const withParts = (originalEvent: string, shownStack: string, shownNamed = named) =>
    `{"original_event":${originalEvent},"original_context":${JSON.stringify(context)},"error":${JSON.stringify({ ...shownNamed, stack: shownStack })}}`;

  const room = SUMMARY_BYTES - byteLength(withParts('', wholeStack));
  const shortened = room >= 2 ? renderWithin(original, room) : undefined;
  if (shortened !== undefined) return withParts(shortened, wholeStack);
  for (const characters of ERROR_CHARACTERS) {
    const shownNamed = withTexts(named, characters);
    const fits = fitting(wholeStack, (shownStack) => withParts('{}', shownStack, shownNamed));
    if (fits !== undefined) return fits;
  }
  return undefined;
}

const withTexts = (record: Record<string, unknown>, characters: number) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' ? shortened(value, characters) : value,
    ]),
  );

/** Builds with the longest prefix of `text` whose result fits into a summary. */
function fitting(text: string, build: (text: string) => string): string | undefined {
  let fits: string | undefined;
  let low = 0;
  let high = Math.min(text.length, SUMMARY_BYTES);
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const built = build(shortened(text, middle));
    if (byteLength(built) <= SUMMARY_BYTES) {
      fits = built;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return fits;
}

/** Cuts a text and appends `…`. */
function shortened(text: string, characters: number): string {
  return text.length <= characters ? text : `${cut(text, characters)}…`;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const encoder = new TextEncoder();
const byteLength = (text: string) => encoder.encode(text).length;
