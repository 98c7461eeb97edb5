/** The responses that the paths of an entry begin with. */
export interface Responses {
  token?: unknown;
  identity?: unknown;
  callback?: Readonly<Record<string, string>>;
  parameter?: Readonly<Record<string, string>>;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text at a dotted path (`token.authed_user.id`, `identity.data.0.name`); undefined for an object, a list, null, and nothing. */
export function textAt(responses: Responses, path: string): string | undefined {
  let found: unknown = responses;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  if (typeof found === 'string') return found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined;
}

/** The texts at the paths, by name; those that the responses lack are absent. */
export const textsAt = (
  responses: Responses,
  paths: Readonly<Record<string, string>> = {},
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([name, path]) => {
      const text = textAt(responses, path);
      return text === undefined ? [] : [[name, text]];
    }),
  );
