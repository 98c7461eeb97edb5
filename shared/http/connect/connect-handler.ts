import type { Context } from 'aws-lambda';
import { API_HEADERS } from '../../domain/api-headers.ts';
import type { ServiceError } from '../../domain/errors.ts';
import { WANTS_BODY } from '../../domain/head-check.ts';
import { CONFIRM_PATH, redirectAddress } from '../../domain/oauth/connect-addresses.ts';
import type { Log } from '../../lambda/log.ts';
import type { ConnectContext } from '../../service/connecting/connect-context.ts';
import { confirmAuthorization } from '../../service/connecting/confirm-authorization.ts';
import {
  type ConnectOutcome,
  type Problem,
  unknownAddress,
  type AuthorizationCookie,
} from '../../service/connecting/connect-outcome.ts';
import { beginAuthorization } from '../../service/connecting/begin-authorization.ts';
import { handleCallback } from '../../service/connecting/handle-callback.ts';
import type { ApiEvent, ApiResult } from '../exchange.ts';
import type { RefusePausedChange } from '../../service/admission/paused-changes.ts';
import { cookieReader, hostCookie } from '../host-cookies.ts';
import { logFault, problemOf } from '../problem.ts';
import { CONTENT_SECURITY_POLICY, connectPage } from './connect-page.ts';

const PREFIX = '/connect/';
const CALLBACK_PATH = new URL(redirectAddress('http://localhost')).pathname;

/** Larger forms than the page's are not read. */
const LARGEST_FORM_BYTES = 4 * 1024;

const HEADERS = {
  ...API_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  // The address of a page has its secrets.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

type Pages = (event: ApiEvent) => Promise<ApiResult>;
type Api = (event: ApiEvent, context: Context) => Promise<ApiResult>;

/** A handler of the API that also serves the pages, which need no API key. */
export const withConnectPages =
  (api: Api, pages: Pages): Api =>
  (event, context) =>
    event.rawPath.startsWith(PREFIX) ? pages(event) : api(event, context);

/** The pages on which a user connects an account. The log names the operation, because the path has a secret. */
export function createConnectHandler(
  context: ConnectContext,
  { log, refusePausedChange }: { log: Pick<Log, 'info' | 'warn' | 'error'>; refusePausedChange: RefusePausedChange },
) {
  return async (event: ApiEvent): Promise<ApiResult> => {
    const { requestId, http } = event.requestContext;
    const { operation, serve } = routeOf(http.method, event.rawPath);
    if (event.isHeadCheck === true && serve === confirm && isForm(event)) return WANTS_BODY;
    const startedAt = context.now();
    const outcome = await refusePausedChange()
      .then(() => serve(context, event))
      .catch((error: unknown) => failure(error, requestId, log));
    const result = resultOf(outcome, context.publicApiUrl);
    log.info('request.served', {
      requestId,
      operation,
      method: http.method,
      status: result.statusCode,
      ms: context.now() - startedAt,
    });
    return { ...result, headers: { ...result.headers, 'x-request-id': requestId } };
  };
}

type Serve = (context: ConnectContext, event: ApiEvent) => Promise<ConnectOutcome>;

function routeOf(method: string, rawPath: string): { operation: string; serve: Serve } {
  const path = rawPath.replace(/\/$/, '');
  if (method === 'GET' && path === CALLBACK_PATH) return { operation: 'connect.callback', serve: callback };
  if (method === 'POST' && path === CONFIRM_PATH) return { operation: 'connect.confirm', serve: confirm };
  if (method === 'GET' && !path.slice(PREFIX.length).includes('/'))
    return {
      operation: 'connect.open',
      serve: (context) => beginAuthorization(context, path.slice(PREFIX.length)),
    };
  return { operation: 'connect.none', serve: () => Promise.resolve(unknownAddress) };
}

const callback: Serve = (context, { rawQueryString, cookies = [] }) =>
  handleCallback(context, {
    query: new URLSearchParams(rawQueryString),
    cookiesNamed: cookieReader(cookies, context.publicApiUrl),
  });

/** A form of another size, or without a length, is answered unread. */
const isForm = ({ headers }: ApiEvent): boolean => Number(headers['content-length'] ?? Infinity) <= LARGEST_FORM_BYTES;

const confirm: Serve = (context, { body = '', isBase64Encoded, cookies = [] }) => {
  const form = new URLSearchParams(
    body.length > LARGEST_FORM_BYTES ? '' : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString('utf8'),
  );
  return confirmAuthorization(context, {
    state: form.get('state') ?? '',
    confirmation: form.get('confirmation') ?? '',
    acceptsOtherLogin: form.get('other_login') === 'yes',
    cookiesNamed: cookieReader(cookies, context.publicApiUrl),
  });
};

function failure(error: unknown, requestId: string, log: Pick<Log, 'warn' | 'error'>): Problem {
  const problem: ServiceError = problemOf(error);
  logFault(log, 'connect', requestId, problem);
  return {
    kind: 'problem',
    status: 502,
    title: 'The service could not go on',
    sentence: `${problem.message} The number of the request is ${requestId}.`,
  };
}

const resultOf = (outcome: ConnectOutcome, origin: string): ApiResult =>
  outcome.kind === 'redirect'
    ? {
        statusCode: 302,
        headers: { ...HEADERS, location: outcome.location },
        cookies: [authorizationCookie(outcome.cookie, origin)],
      }
    : {
        statusCode: outcome.kind === 'problem' ? outcome.status : 200,
        headers: HEADERS,
        body: connectPage(outcome, origin),
      };

/** The longest life of an authorization: 10 minutes at the provider, and 10 for the confirmation. */
const MAX_AGE_SECONDS = 20 * 60;

/** The `Set-Cookie` of an authorization. */
export const authorizationCookie = (cookie: AuthorizationCookie, origin: string): string =>
  hostCookie({ ...cookie, path: '/connect', maxAgeSeconds: MAX_AGE_SECONDS }, origin);
