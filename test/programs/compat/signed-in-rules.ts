import type { AuthorizationServer } from '../../support/authorization-server.ts';
import type { Call, Expected, Rule } from './stand-in.ts';

const ACCESS_TOKEN = /at-[0-9a-f]{24}/g;

/** The access tokens in a request, each once. */
export const tokensIn = ({ headers, query, text }: Call): string[] => [
  ...new Set(JSON.stringify([headers, query, text]).match(ACCESS_TOKEN)),
];

/**
 * Rules for an account that was signed in: where a rule expects one of these texts, for example in `Bearer text`, it
 * takes an access token of the provider. A revoked one is refused with status 401.
 */
export function signedInRules(
  rules: readonly Rule[],
  { texts, provider }: { texts: readonly string[]; provider: AuthorizationServer },
): readonly Rule[] {
  const anyToken = (expected: Expected): Expected => {
    if (typeof expected === 'string') {
      const text = texts.find((one) => expected.includes(one));
      if (text === undefined) return expected;
      return (value) =>
        typeof value === 'string' && value !== expected && value.replace(ACCESS_TOKEN, text) === expected;
    }
    if (Array.isArray(expected)) return expected.map((one) => anyToken(one as Expected));
    const isObject =
      typeof expected === 'object' && expected !== null && Object.getPrototypeOf(expected) === Object.prototype;
    return isObject
      ? Object.fromEntries(Object.entries(expected).map(([name, one]) => [name, anyToken(one as Expected)]))
      : expected;
  };
  const anyTokens = (expected: Readonly<Record<string, Expected>>) =>
    Object.fromEntries(Object.entries(expected).map(([name, one]) => [name, anyToken(one)]));
  return rules.map(({ headers, query, body, response, ...rule }): Rule => ({
    ...rule,
    ...(headers ? { headers: anyTokens(headers) } : {}),
    ...(query ? { query: anyTokens(query) } : {}),
    ...(body === undefined ? {} : { body: anyToken(body) }),
    response: (call) => {
      if (!tokensIn(call).every((token) => provider.isLive(token)))
        return { status: 401, body: { error: 'The token is revoked.' } };
      return typeof response === 'function' ? response(call) : response;
    },
  }));
}
