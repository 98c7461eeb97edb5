import type { Quirk } from '../../domain/oauth/quirk.ts';
import type { Provider } from '../../domain/oauth/resolved-client.ts';
import { isObject } from '../../domain/oauth/value-at.ts';

/** The response has a token that cannot be taken. The message is a part of a sentence. */
export class UnusableTokenError extends Error {
  override readonly name = 'UnusableTokenError';
}

type Members = Readonly<Record<string, unknown>>;

const DEEPEST = 3;
/** Names in a path that a reason shows: no value that a provider repeats. */
const NAME = /^[a-z][a-z_]{0,31}$/i;

/**
 * Throws `UnusableTokenError` for a token in a response that has not the form of the standard: names the odd member,
 * and the option that takes it.
 */
export function checkToken(body: Members, provider: Pick<Provider, 'quirks' | 'answer'>): void {
  const refuse = (problem: string, option?: string) => {
    throw new UnusableTokenError(
      option === undefined ? problem : `${problem}; the operator registers the client again with \`${option}\``,
    );
  };
  const withQuirk = (quirk: Quirk) => `--quirk ${[...provider.quirks, quirk].join(' ')}`;
  const { access_token: token, token_type: type, refresh_token: refreshToken, scope } = body;
  if (token === undefined) {
    const path = pathOfToken(body);
    if (path === 'authed_user') refuse('`access_token` is in `authed_user`', withQuirk('nested-token'));
    if (path !== undefined) refuse(`\`access_token\` is in \`${path}\``, `--answer ${path}`);
    return;
  }
  if (typeof token !== 'string') refuse('`access_token` is not a string');
  if (type === undefined) refuse('`token_type` is missing', withQuirk('no-token-type'));
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    refuse('`token_type` is not `bearer`', withQuirk('no-token-type'));
  if (refreshToken !== undefined && typeof refreshToken !== 'string') refuse('`refresh_token` is not a string');
  if (Array.isArray(scope)) refuse('`scope` is a list', withQuirk('scope-list'));
  if (scope !== undefined && typeof scope !== 'string') refuse('`scope` is not a string');
}

/** The same for a response that is not JSON. */
export function checkText(text: string, { quirks }: Pick<Provider, 'quirks'>): void {
  if (!new URLSearchParams(text).has('access_token')) return;
  const option = `--quirk ${[...quirks, 'form-encoded-answer'].join(' ')}`;
  throw new UnusableTokenError(
    `the response is form-encoded; the operator registers the client again with \`${option}\``,
  );
}

/** The path of the first object with an access token below the body. */
function pathOfToken(body: Members, depth = 1): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    if (!NAME.test(name) || !isObject(value)) continue;
    if (typeof value['access_token'] === 'string') return name;
    const below = depth < DEEPEST ? pathOfToken(value, depth + 1) : undefined;
    if (below !== undefined) return `${name}.${below}`;
  }
  return undefined;
}
