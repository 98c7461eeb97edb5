import * as z from 'zod';
import type { Quirk } from '../../domain/oauth/quirk.ts';

/** An answer of the token address, on its way to the form of the standard. */
export interface TokenAnswer {
  status: number;
  body: Readonly<Record<string, unknown>>;
  /** Epoch ms. */
  now: number;
}

type AnswerQuirk = (answer: TokenAnswer) => TokenAnswer;

/** The standard's status of an error. */
const ERROR_STATUS = 400;

const errorWithStatus200: AnswerQuirk = (answer) =>
  answer.status === 200 && typeof answer.body['error'] === 'string'
    ? { ...answer, status: ERROR_STATUS }
    : answer;

const okFalse: AnswerQuirk = (answer) =>
  answer.status === 200 && answer.body['ok'] !== true ? { ...answer, status: ERROR_STATUS } : answer;

const ErrorList = z.object({ errors: z.tuple([z.object({ errorType: z.string() })], z.unknown()) });

const errorInList: AnswerQuirk = (answer) => {
  const { data } = ErrorList.safeParse(answer.body);
  return data ? withMembers(answer, { error: data.errors[0].errorType }) : answer;
};

const ExpiresAt = z.object({ expires_at: z.iso.datetime({ offset: true }) });

const expiresAt: AnswerQuirk = (answer) => {
  const { data } = ExpiresAt.safeParse(answer.body);
  return data
    ? withMembers(answer, { expires_in: secondsUntil(Date.parse(data.expires_at), answer) })
    : answer;
};

const Claims = z.object({ exp: z.number() });

const expiryInJwt: AnswerQuirk = (answer) => {
  const exp = expiryOf(answer.body['access_token']);
  return exp === undefined ? answer : withMembers(answer, { expires_in: secondsUntil(exp * 1_000, answer) });
};

/** The signature does not matter: the token came from its issuer over TLS, and only the time of its renewal depends on it. */
function expiryOf(token: unknown): number | undefined {
  const [, payload = ''] = typeof token === 'string' ? token.split('.') : [];
  try {
    return Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).exp;
  } catch {
    return undefined;
  }
}

const NestedToken = z.object({ authed_user: z.looseObject({ access_token: z.string() }) });

const nestedToken: AnswerQuirk = (answer) => {
  const { data } = NestedToken.safeParse(answer.body);
  if (!data) return answer;
  const { access_token, refresh_token, expires_in, scope } = data.authed_user;
  return withMembers(answer, { access_token, refresh_token, expires_in, scope });
};

const noTokenType: AnswerQuirk = (answer) => withMembers(answer, { token_type: 'bearer' });

const scopeList: AnswerQuirk = (answer) => {
  const { scope } = answer.body;
  return Array.isArray(scope) ? withMembers(answer, { scope: scope.map(String).join(' ') }) : answer;
};

const withMembers = (answer: TokenAnswer, members: Record<string, unknown>): TokenAnswer => ({
  ...answer,
  body: { ...answer.body, ...members },
});

const secondsUntil = (at: number, { now }: TokenAnswer): number =>
  Math.max(0, Math.round((at - now) / 1_000));

/** The quirks of answers, in the order in which they apply. The others change requests. */
const ANSWER_QUIRKS: readonly (readonly [Quirk, AnswerQuirk])[] = [
  ['error-in-list', errorInList],
  ['error-with-status-200', errorWithStatus200],
  ['ok-false', okFalse],
  ['nested-token', nestedToken],
  ['no-token-type', noTokenType],
  ['scope-list', scopeList],
  ['expires-at', expiresAt],
  ['expiry-in-jwt', expiryInJwt],
];

/** The answer in the form of the standard. */
export const withoutQuirks = (answer: TokenAnswer, quirks: readonly Quirk[]): TokenAnswer =>
  ANSWER_QUIRKS.filter(([quirk]) => quirks.includes(quirk)).reduce(
    (changed, [, change]) => change(changed),
    answer,
  );
