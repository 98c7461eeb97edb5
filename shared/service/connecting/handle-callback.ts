import { type SignIn, STEP_MS } from '../../domain/oauth/sign-in.ts';
import { isIssuer } from '../../domain/oauth/authorization-url.ts';
import { errorCodesIn } from '../../domain/oauth/error-code.ts';
import type { OAuthClient } from '../../domain/oauth/oauth-client.ts';
import { providersWords } from '../../domain/oauth/providers-words.ts';
import { resolveClient, titleOf } from '../../domain/oauth/resolve-client.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import type { ConnectContext } from './connect-context.ts';
import {
  type ConnectOutcome,
  expiredAuthorization,
  type Problem,
  secondUse,
  unknownAddress,
} from './connect-outcome.ts';
import { confirmationOf } from './confirmation-of.ts';
import { secretHash, newSecret, verifierOf } from './connect-secrets.ts';
import { authorizationOf, type BrowserAuthorization, refuse } from './authorization-of.ts';

export interface Callback {
  query: URLSearchParams;
  cookiesNamed: (name: string) => readonly string[];
}

/** Takes a browser back from the provider: exchanges its code, and asks its user. A state is taken once. */
export async function handleCallback(context: ConnectContext, callback: Callback): Promise<ConnectOutcome> {
  const { signIns, clients, now } = context;
  const states = callback.query.getAll('state');
  const found = await authorizationOf(context, states.length === 1 ? (states[0] ?? '') : '', callback.cookiesNamed);
  if ('kind' in found) return found;
  const { signIn, authorization } = found;
  if (authorization.status !== 'opened') return secondUse;
  // Two requests came at once: the other one continues.
  if (!(await signIns.changeAuthorization(authorization, { status: 'returned' }))) return secondUse;
  if (now() > authorization.openedAt + STEP_MS) return refused(context, signIn, expiredAuthorization);
  const client = await clients.find(signIn.client);
  if (!client) return refused(context, signIn, unknownAddress);
  const problem = problemIn(callback.query, signIn, client);
  return problem ? refused(context, signIn, problem) : exchange(context, found, { client, query: callback.query });
}

async function refused(context: ConnectContext, signIn: SignIn, problem: Problem): Promise<Problem> {
  // The words of the address are for the browser that brought it.
  await refuse(context, signIn, `${problem.title}. ${problem.sentence}`);
  return problem;
}

const failed = (title: string, sentence: string, words?: string): Problem => ({
  kind: 'problem',
  status: 400,
  title,
  sentence,
  words,
});

/** Parameters that must not be there twice. */
const ONCE = ['code', 'error', 'error_description', 'iss'];

function problemIn(query: URLSearchParams, signIn: SignIn, client: OAuthClient): Problem | undefined {
  const provider = titleOf(client);
  if (ONCE.some((name) => query.getAll(name).length > 1))
    return failed('The answer is not valid', `${provider} sent a parameter twice. Open the address again.`);
  const { ownerId, parameters } = signIn;
  const resolved = resolveClient(client, { ownerId, parameters, clientSecret: undefined });
  const iss = query.get('iss');
  if (iss !== null && !isIssuer(iss, resolved.provider))
    return failed(
      'The answer comes from another provider',
      `It was expected from ${provider}, and its parameter iss names another one. Nothing was sent there. If ${provider} has another issuer, the operator sets it with --issuer.`,
    );
  const error = query.get('error');
  if (error !== null) {
    const description = query.get('error_description');
    const [code] = errorCodesIn({ error }, resolved.provider);
    const words = providersWords(description === null ? error : `${error}: ${description}`);
    return error === 'access_denied'
      ? failed(
          'The access was not allowed',
          `${provider} reports that it was denied. Open the address again to try once more.`,
          words,
        )
      : failed(
          'The sign-in failed',
          `${provider} reports an error${code === undefined ? '' : ` (${code})`}. Open the address again to try once more.`,
          words,
        );
  }
  if (!query.get('code'))
    return failed('The answer is not valid', `${provider} sent neither a code nor an error. Open the address again.`);
  return undefined;
}

async function exchange(
  context: ConnectContext,
  { signIn, authorization, cookie }: BrowserAuthorization,
  { client, query }: { client: OAuthClient; query: URLSearchParams },
): Promise<ConnectOutcome> {
  const { signIns, oauthFunction, random, now } = context;
  const state = query.get('state') ?? '';
  const confirmation = newSecret(random);
  const { ownerId, parameters } = signIn;
  const { provider } = resolveClient(client, { ownerId, parameters, clientSecret: undefined });
  const result = await oauthFunction.exchange({
    attemptId: signIn.id,
    stateHash: authorization.stateHash,
    code: query.get('code') ?? '',
    ...(provider.pkce === 'S256' ? { verifier: verifierOf(cookie, state) } : {}),
    callback: callbackFields(query, [...Object.values(provider.fields ?? {}), provider.uid ?? '']),
    confirmationHash: secretHash(confirmation),
  });
  if (result.state === 'refused')
    return refused(context, signIn, {
      kind: 'problem',
      status: 502,
      title: 'The sign-in failed',
      sentence: `${result.reason} Open the address again to try once more.`,
    });
  await changeCurrent({
    read: signIn,
    find: () => signIns.find(signIn.id),
    write: (current) => signIns.change(current, { waitingUntil: now() + STEP_MS }),
  });
  return {
    kind: 'confirm',
    confirmation: await confirmationOf(context, {
      signIn,
      client,
      login: result.login,
      granted: result.scopes,
      state,
      confirmation,
    }),
  };
}

/** The parameters of the callback that the entry of the provider names. */
const callbackFields = (query: URLSearchParams, paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const [, name] = /^callback\.(.*)$/.exec(path) ?? [];
      const value = name === undefined ? null : query.get(name);
      return name === undefined || value === null || value.length > LONGEST_VALUE ? [] : [[name, value]];
    }),
  );

const LONGEST_VALUE = 1_024;
