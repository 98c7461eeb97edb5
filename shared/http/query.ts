import { ServiceError } from '../domain/errors.ts';
import { fieldNames } from '../domain/fields.ts';

/** What a query says: single values, and the field lists, which may come several times. */
export interface Query {
  values: Record<string, string>;
  include: string[] | undefined;
  exclude: string[] | undefined;
}

const invalid = (path: string, message: string) =>
  new ServiceError('invalid', 'invalid_request', `The query parameter ${path} ${message}.`, {
    details: [{ path, message }],
  });

/** Given empty it names the default stream, which for a deletion is less than not naming one. */
const DEFAULTS_TO_A_STREAM = 'event_name';

/** An empty parameter counts as not given; one that is given twice is a mistake, except for the field lists. */
export function readQuery(text: string): Query {
  const given = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [rawName = '', ...rest] = pair.split('=');
    const name = decoded(rawName, rawName);
    given.set(name, [...(given.get(name) ?? []), decoded(rest.join('='), name)]);
  }
  const lists = { include: given.get('include'), exclude: given.get('exclude') };
  const values: [string, string][] = [];
  for (const [name, [value = '', ...more]] of given) {
    if (name === 'include' || name === 'exclude') continue;
    if (more.length > 0) throw invalid(name, 'must not be given twice');
    if (value !== '' || name === DEFAULTS_TO_A_STREAM) values.push([name, value]);
  }
  return {
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
    throw invalid(name, 'must not hold a malformed percent-escape');
  }
}
