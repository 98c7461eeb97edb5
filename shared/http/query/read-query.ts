import { fieldNames } from '../../lib/fields.ts';
import { invalidField } from '../../domain/check.ts';

/** Parsed query: single values, and the field lists, which may be repeated. */
export interface Query {
  /** The names of all parameters, also of empty ones. */
  names: readonly string[];
  values: Record<string, string>;
  include: string[] | undefined;
  exclude: string[] | undefined;
}

const invalid = (path: string, message: string) => invalidField(path, message, `The query parameter ${path}`);

/** An empty `event_name` selects the default stream; a deletion without it selects all streams. */
const MAY_BE_EMPTY = 'event_name';

/** Ignores empty parameters and refuses repeated ones, except for the field lists. */
export function readQuery(text: string): Query {
  const parameters = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [rawName = '', ...rest] = pair.split('=');
    const name = decoded(rawName, rawName);
    parameters.set(name, [...(parameters.get(name) ?? []), decoded(rest.join('='), name)]);
  }
  const lists = { include: parameters.get('include'), exclude: parameters.get('exclude') };
  const values: [string, string][] = [];
  for (const [name, [value = '', ...more]] of parameters) {
    if (name === 'include' || name === 'exclude') continue;
    if (more.length > 0) throw invalid(name, 'must not be repeated');
    if (value !== '' || name === MAY_BE_EMPTY) values.push([name, value]);
  }
  return {
    names: [...parameters.keys()],
    values: Object.fromEntries(values),
    include: namesOf(lists.include),
    exclude: namesOf(lists.exclude),
  };
}

function namesOf(values: readonly string[] | undefined): string[] | undefined {
  const names = (values ?? []).flatMap(fieldNames);
  return names.length === 0 ? undefined : names;
}

function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid(name, 'must not contain a malformed percent-escape');
  }
}
