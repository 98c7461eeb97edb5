import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ClientConnection } from '../../../shared/lib/reading/client-connection.ts';
import { account } from '../template/resource-type.ts';
import { setOwn } from '../own-member.ts';
import { decoded, type Match } from './route-table.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface Received {
  readonly method: string;
  /** As in the request line. */
  readonly path: string;
  readonly query: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Passes the body on as base64, whatever it is. */
  readonly isBinary?: boolean;
  readonly sourceIp: string;
  readonly protocol: string;
  readonly client: ClientConnection;
}

interface RequestOrigin {
  readonly apiId: string;
  readonly domainName: string;
  readonly requestId: string;
  readonly now: number;
}

/**
 * The event of payload format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 *
 * `rawPath` is the path as received. `forms.ts` has the form that API Gateway gives it, which a reader of `rawPath`
 * must accept, too.
 */
export function eventOf(
  received: Received,
  { route, parameters }: Match,
  origin: RequestOrigin,
): APIGatewayProxyEventV2 {
  const { method, path, query, body, isBinary, sourceIp, protocol } = received;
  const { headers, cookies } = headersOf(received.rawHeaders);
  const { apiId, domainName, requestId, now } = origin;
  // A body that is not UTF-8 becomes base64, whatever its content type.
  const isBase64Encoded = body.length > 0 && (isBinary === true || !(isText(headers['content-type']) && isUtf8(body)));
  headers['x-forwarded-for'] = headers['x-forwarded-for'] ? `${headers['x-forwarded-for']}, ${sourceIp}` : sourceIp;
  const event: APIGatewayProxyEventV2 = {
    version: '2.0',
    routeKey: route.key,
    rawPath: path,
    rawQueryString: query,
    headers,
    requestContext: {
      accountId: account,
      apiId,
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: { method, path, protocol, sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId,
      routeKey: route.key,
      stage: '$default',
      time: timeOf(now),
      timeEpoch: now,
    },
    isBase64Encoded,
  };
  if (cookies) event.cookies = cookies;
  if (query !== '') event.queryStringParameters = queryOf(query);
  if (parameters) event.pathParameters = parameters;
  if (body.length > 0) event.body = body.toString(isBase64Encoded ? 'base64' : 'utf8');
  return event;
}

/** Header names in lower case, values of the same name joined by commas. Cookies are a separate list. */
function headersOf(raw: readonly string[]): {
  headers: Record<string, string>;
  cookies: string[] | undefined;
} {
  const headers: Record<string, string> = {};
  let cookies: string[] | undefined;
  for (let n = 0; n < raw.length; n += 2) {
    const name = (raw[n] ?? '').toLowerCase();
    const sent = raw[n + 1] ?? '';
    if (name === 'cookie') {
      (cookies ??= []).push(...sent.split(/; */));
      continue;
    }
    const value = Object.hasOwn(headers, name) ? `${headers[name] ?? ''},${sent}` : sent;
    setOwn(headers, name, value);
  }
  return { headers, cookies };
}

function queryOf(query: string): Record<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodedQuery(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodedQuery(pair.slice(equals + 1));
    const known = parameters.get(name);
    parameters.set(name, known === undefined ? value : `${known},${value}`);
  }
  return Object.fromEntries(parameters);
}

const decodedQuery = (text: string) => decoded(text.includes('+') ? text.replaceAll('+', ' ') : text);

/** Content types whose bodies the gateway keeps as text. Other bodies become base64. */
const isText = (contentType = '') =>
  contentType === 'application/json' ||
  /^\s*(text\/|application\/([\w.-]+\+)?(json|xml)\b|application\/javascript\b)/i.test(contentType);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
let lastSecond = -1;
let lastTime = '';

/** `10/Apr/2026:13:30:05 +0000`, formatted once per second. */
function timeOf(now: number): string {
  const second = Math.floor(now / 1000);
  if (second === lastSecond) return lastTime;
  const date = new Date(now);
  const [day = '', time = ''] = date.toISOString().split(/[T.]/);
  const [year = '', , dayOfMonth = ''] = day.split('-');
  lastSecond = second;
  lastTime = `${dayOfMonth}/${months[date.getUTCMonth()] ?? ''}/${year}:${time} +0000`;
  return lastTime;
}
