import * as z from 'zod';
import { type CompiledPattern, compilePattern, type EventMatcher } from './compile-pattern.ts';

/** A valid event pattern as compact JSON text. Kept as text: DynamoDB's maps do not preserve every JSON value. */
export const EventFilter = z.string().brand<'EventFilter'>();
export type EventFilter = z.infer<typeof EventFilter>;

const LONGEST_BYTES = 4_096;

/** The path of a filter in a request, and the beginning of `details[].path`. */
const PATH = 'filter';

/** A filter of a request: an object, or its JSON text. An empty text is no filter. */
export const FilterInput = z.unknown().transform((input, context): EventFilter | undefined => {
  const pattern = typeof input === 'string' && input !== '' ? parsed(input) : input;
  if (pattern === '' || pattern === null) return undefined;
  const text = JSON.stringify(pattern) ?? '';
  const details =
    Buffer.byteLength(text) > LONGEST_BYTES
      ? [{ path: PATH, message: `must have at most ${LONGEST_BYTES} bytes as compact JSON` }]
      : problemsOf(compilePattern(pattern, PATH));
  for (const { path, message } of details) {
    context.addIssue({ code: 'custom', message, path: path === PATH ? [] : [path.slice(PATH.length + 1)] });
  }
  return details.length === 0 ? EventFilter.parse(text) : z.NEVER;
});

const problemsOf = (compiled: CompiledPattern) => (compiled.ok ? [] : compiled.details);

/** Undefined for a text that is not JSON, which is no object either. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function matcherOf(filter: EventFilter): EventMatcher {
  const compiled = compilePattern(JSON.parse(filter), PATH);
  if (compiled.ok) return compiled.matches;
  throw new Error(`A stored filter is not valid: ${compiled.details.map(({ path }) => path).join(', ')}`);
}

/** Compiles each filter once. Forgets all when their texts exceed the limit, in characters. */
export function createMatchers(limit = 8_000_000): (filter: EventFilter) => EventMatcher {
  const matchers = new Map<EventFilter, EventMatcher>();
  let characters = 0;
  return (filter) => {
    const known = matchers.get(filter);
    if (known) return known;
    const matcher = matcherOf(filter);
    if (characters + filter.length > limit) {
      matchers.clear();
      characters = 0;
    }
    matchers.set(filter, matcher);
    characters += filter.length;
    return matcher;
  };
}
