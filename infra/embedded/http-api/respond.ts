import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MetricsPage } from './metrics-page.ts';
import { networkOf } from '../../../shared/domain/network/network-of.ts';
import { isHealthPath } from '../../../shared/domain/service-health.ts';
import type { ApiName } from '../template/api-names.ts';
import type { BodyReader } from './bodies/body-reader.ts';
import { readBody } from './bodies/read-body.ts';
import type { ClientAddress } from './clients/client-address.ts';
import type { OpenRequest } from './clients/connections.ts';
import type { KeylessShare } from './clients/keyless-share.ts';
import { type KnownCallers, proofOf } from './clients/known-callers.ts';
import type { RefusalLog } from './responses/refusal-log.ts';
import { headProblem } from './head-problem.ts';
import type { HttpApi } from './http-api.ts';
import { isBelowV1, pathOf } from './paths.ts';
import { newRequestId } from './request-id.ts';
import type { ByteBudget } from './responses/byte-budget.ts';
import { healthResponse } from './responses/health-response.ts';
import { type HttpResponse, internalError, notFound, unavailable, withApiHeaders } from './responses/http-response.ts';
import { type Refusal, refusalResponse } from './responses/refusal.ts';
import { sendStream } from './responses/send-stream.ts';
import { send, sendBeforeEnd } from './responses/send.ts';
import { StreamedBody } from './responses/streamed-body.ts';
import type { StreamedResponse } from './url-invocation.ts';

export interface RespondOptions {
  readonly name: ApiName;
  readonly clientAddress: ClientAddress;
  readonly bodies: BodyReader;
  readonly unsent: ByteBudget;
  readonly keyless: KeylessShare;
  readonly known: KnownCallers;
  readonly refusals: RefusalLog;
  /** One sentence, or undefined when the service works. */
  health(): Promise<string | undefined>;
  /** Whether requests are served: waits for the end of the start. False during a stop. */
  isServing(): Promise<boolean> | boolean;
  api(): HttpApi | undefined;
  /** Answers `/metrics`. */
  metrics(): MetricsPage | undefined;
  /** Whether an endpoint has this host of its own: every path of it is the component's. */
  isEndpointHost(host: string | undefined): boolean;
  /** Called with the end of each streamed response. */
  onStream(open: OpenRequest, end: () => void): void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly open: OpenRequest;
}

/** Answers one request. Never rejects. */
export async function respond(exchange: Exchange, options: RespondOptions): Promise<void> {
  const { response } = exchange;
  const reply = replyTo(exchange, options);
  try {
    await serve(exchange, options, reply);
  } catch {
    if (!response.headersSent && !response.destroyed) reply.sendWhole(internalError);
  }
}

/** Path and caller from the head of a request, and the ways to send a response. */
function replyTo({ request, response, open }: Exchange, options: RespondOptions) {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const path = pathOf(mark < 0 ? url : url.slice(0, mark));
  const sourceIp = options.clientAddress(request.socket.remoteAddress, request.headers['x-forwarded-for']?.toString());
  const network = networkOf(sourceIp);
  const isApi = options.name === 'api' && isBelowV1(path);
  const unsent = { budget: options.unsent, network, open };
  const shown = <R extends Pick<HttpResponse, 'headers'>>(each: R): R => (isApi ? withApiHeaders(each) : each);
  const sendWhole = (each: HttpResponse) => send(request, response, { response: shown(each), unsent });
  const sendLast = (each: HttpResponse) => {
    response.shouldKeepAlive = false;
    sendWhole(each);
  };
  const onRefused = (refusal: Refusal) => options.refusals.refused(refusal, network);
  return {
    path,
    query: mark < 0 ? '' : url.slice(mark + 1),
    sourceIp,
    network,
    shown,
    sendWhole,
    sendLast,
    onRefused,
    sendStreamed: (each: StreamedResponse) => sendStream(request, response, { response: each, unsent }),
  };
}

async function serve(
  { request, response, open }: Exchange,
  options: RespondOptions,
  reply: ReturnType<typeof replyTo>,
): Promise<void> {
  const { path, network, sendWhole, sendLast, onRefused, shown } = reply;
  const { rawHeaders, method = 'GET' } = request;
  const problem = headProblem(request);
  if (problem) {
    onRefused(problem);
    sendLast(refusalResponse(problem, newRequestId()));
    return;
  }
  const isEndpointHost = options.isEndpointHost(request.headers.host);
  if (!isEndpointHost && isHealthPath(request.method, path)) {
    sendWhole(healthResponse(await options.keyless.run(network, options.health)));
    return;
  }
  if (!(await options.isServing())) {
    sendLast(unavailable);
    return;
  }
  const api = options.api();
  const head = {
    method,
    path,
    query: reply.query,
    rawHeaders,
    sourceIp: reply.sourceIp,
    protocol: `HTTP/${request.httpVersion}`,
    client: open,
  };
  const proof = proofOf(options.name, isEndpointHost ? '' : path, request.headers);
  const isKnown = proof !== undefined && options.known.has(proof);
  const inShare = <Value>(work: () => Promise<Value>): Promise<Value | HttpResponse> =>
    options.keyless.run(network, async () => (open.isOpen && (await options.isServing()) ? work() : unavailable));
  const ask = async () => api?.refusalOf(head);
  const read = await readBody(request, response, {
    received: head,
    api,
    bodies: options.bodies,
    network,
    // A request to an endpoint that is known has its own limits; the look-up of another one is a stranger's work.
    isAsked: options.name === 'ingress' && !isKnown,
    ask: isKnown ? ask : () => inShare(ask),
    onRefused,
  });
  open.markRead();
  if ('refusal' in read) {
    if (request.complete) sendWhole(read.refusal);
    else if (read.isEnd) sendLast(read.refusal);
    else await sendBeforeEnd(request, response, shown(read.refusal));
    return;
  }
  const { body, isWhole, length } = read;
  const whole = length === undefined ? head : { ...head, rawHeaders: withLength(rawHeaders, length) };
  const handle = async () => options.metrics()?.({ ...whole, body }, api) ?? api?.handle({ ...whole, body });
  const handled = await (isKnown || options.name === 'ingress' ? handle() : inShare(handle));
  const result = shown(handled ?? notFound);
  if (!isKnown && proof !== undefined && method !== 'OPTIONS' && isAccepted(options.name, result))
    options.known.add(proof);
  if (isStreamed(result)) options.onStream(open, reply.sendStreamed(result));
  else if (isWhole) sendWhole(result);
  else await sendBeforeEnd(request, response, result);
}

/** A component answers with any status; each request to one that answers 401 or 404 is asked about. */
const isAccepted = (name: ApiName, { status }: Pick<HttpResponse, 'status'>): boolean =>
  name === 'ingress' ? status !== 401 && status !== 404 : status < 400;

const withLength = (rawHeaders: readonly string[], length: number): string[] => [
  ...rawHeaders,
  'content-length',
  String(length),
];

const isStreamed = (response: HttpResponse | StreamedResponse): response is StreamedResponse =>
  response.body instanceof StreamedBody;
