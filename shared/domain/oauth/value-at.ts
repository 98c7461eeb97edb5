/** The responses that the paths of an entry begin with. */
export interface Responses {
  token?: unknown;
  identity?: unknown;
  callback?: Readonly<Record<string, string>>;
  parameter?: Readonly<Record<string, string>>;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a dotted path of own members (`authed_user.id`, `data.0.name`); undefined for nothing. */
export function valueAt(root: unknown, path: string): unknown {
  let found = root;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

/**
 * The text at a path such as `token.authed_user.id`; undefined for an object, a list, null, an empty text, and nothing.
 */
export function textAt(responses: Responses, path: string): string | undefined {
  const found = valueAt(responses, path);
  if (typeof found === 'string') return found === '' ? undefined : found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined;
}

/** The texts at the paths, by name; those that the responses lack are absent. */
export const textsAt = (responses: Responses, paths: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([name, path]) => {
      const text = textAt(responses, path);
      return text === undefined ? [] : [[name, text]];
    }),
  );

/** Members that name a login, where neither the entry nor the operator says which one does. */
const LOGIN_MEMBERS = ['sub', 'id', 'user_id'];

/** The login that an answer names: at the path if there is one, else at the first of `sub`, `id` and `user_id`. */
export function loginIn(responses: Responses, path: string | undefined, standard: unknown): string | undefined {
  if (path !== undefined) return textAt(responses, path);
  return LOGIN_MEMBERS.map((name) => textAt({ token: standard }, `token.${name}`)).find((text) => text !== undefined);
}
