import { type HeadCheck, WANTS_BODY } from '../../../shared/domain/head-check.ts';
import type { Clock } from '../clock.ts';
import { Deadlines } from '../deadlines.ts';
import type { Faults } from '../faults.ts';
import type { Invocation } from '../lambda/invocation.ts';
import type { Outcome } from '../lambda/outcome.ts';
import { MAX_RESPONSE_BYTES, MAX_REQUEST_BYTES, responseBytes } from '../lambda/payload.ts';
import type { ApiName } from '../template/api-names.ts';
import type { HttpApiSpec, RouteSpec } from './api-spec.ts';
import { preflightResponse, withCors } from './cors.ts';
import { eventOf, MAX_BODY_BYTES, type Received } from './event.ts';
import { responseForm, requestForm } from './forms.ts';
import type { Room } from '../disk/room.ts';
import { newRequestId } from './request-id.ts';
import {
  type HttpResponse,
  responseOf,
  internalError,
  notFound,
  tooLarge,
  tooMany,
  unavailable,
} from './responses/http-response.ts';
import { noRoom, refusalResponse } from './responses/refusal.ts';
import { type Match, RouteTable } from './route-table.ts';
import { TokenBucket } from './token-bucket.ts';
import { invokeByUrl, type StreamedResponse, type UrlRequest } from './url-invocation.ts';

/** The parts of Lambda that the gateway uses. */
interface Integrations {
  /** Throws if the call does not reach the function. */
  invoke(functionName: string, invocation: Invocation): Promise<Outcome>;
  /** Whether the function allows the route to invoke it. */
  mayInvoke(route: RouteSpec): boolean;
}

interface HttpApiOptions {
  readonly integrations: Integrations;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly domainName: string;
  readonly room: Pick<Room, 'isForNewData'>;
}

/** A request with this header gets the API's response where a function URL has the same path. */
const GATHERED_HEADER = 'x-gathered-response';
/** Bytes of an event without its body. */
const EVENT_OVERHEAD_BYTES = 16_384;
const MAX_EVENT_BODY_BYTES = MAX_REQUEST_BYTES - EVENT_OVERHEAD_BYTES;

/** The most bytes of a character in JSON: the JSON of a short response is not measured. */
const LONGEST_ESCAPE = 6;

type AnyResponse = HttpResponse | StreamedResponse;

/** One HTTP API: turns requests into responses. */
export class HttpApi {
  readonly name: ApiName;
  readonly #routes: RouteTable;
  readonly #spec: HttpApiSpec;
  readonly #integrations: Integrations;
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #domainName: string;
  readonly #room: HttpApiOptions['room'];
  readonly #bucket: TokenBucket | undefined;
  /** By timeout of the routes. */
  readonly #deadlines = new Map<number, Deadlines>();

  constructor(spec: HttpApiSpec, { integrations, clock, faults, domainName, room }: HttpApiOptions) {
    this.#spec = spec;
    this.#integrations = integrations;
    this.#clock = clock;
    this.#faults = faults;
    this.#domainName = domainName;
    this.#room = room;
    this.name = spec.name;
    this.#routes = new RouteTable(spec.routes);
    this.#bucket = spec.throttle && new TokenBucket(spec.throttle);
  }

  async handle(received: Received): Promise<AnyResponse> {
    const requestId = newRequestId();
    const { cors } = this.#spec;
    const origin = cors && headerOf(received, 'origin');
    const isPreflight =
      origin !== undefined &&
      received.method === 'OPTIONS' &&
      headerOf(received, 'access-control-request-method') !== undefined;
    return isPreflight && cors
      ? this.#shaped(preflightResponse(cors, origin), requestId)
      : this.#complete(received, await this.#respond(requestForm(received, this.#faults), requestId), requestId);
  }

  /**
   * Asks the function about a request whose body has not come yet, so that only a request that it takes gets a buffer.
   * Undefined if it wants the body.
   */
  async refusalOf(head: Omit<Received, 'body'>): Promise<HttpResponse | undefined> {
    const match = this.#routes.find(head.method, head.path);
    if (!this.#spec.hasHeadChecks || !match || !this.#integrations.mayInvoke(match.route)) return undefined;
    const requestId = newRequestId();
    const received = { ...head, body: Buffer.alloc(0) };
    const event: HeadCheck = { ...this.#eventOf(received, match, requestId), isHeadCheck: true };
    const outcome = await this.#invoke(match.route, { event });
    if (outcome?.ok && wantsBody(outcome.value)) return undefined;
    return this.#complete(received, responseOfOutcome(outcome), requestId);
  }

  /** The largest body that is read. A request without a route is answered without its body. */
  bodyLimitOf({ method, path }: Pick<Received, 'method' | 'path'>): number {
    const match = this.#routes.find(method, path);
    // A function URL streams its response, and takes no body here.
    return match && !match.route.isUrl && !match.route.streamed ? (this.#spec.bodyLimit ?? MAX_BODY_BYTES) : 0;
  }

  /** A response of the gateway before a request was read. */
  withCorsOf(received: Pick<Received, 'rawHeaders'>, response: HttpResponse): HttpResponse {
    const { cors } = this.#spec;
    return cors ? withCors(response, cors, headerOf(received, 'origin')) : response;
  }

  async #respond(received: Received, requestId: string): Promise<AnyResponse> {
    if (this.#bucket && !this.#bucket.take()) return tooMany;
    if (this.#storesMore(received) && !this.#room.isForNewData) return refusalResponse(noRoom, requestId);
    const match = this.#routes.find(received.method, received.path);
    if (!match) return notFound;
    const route =
      headerOf(received, GATHERED_HEADER) === undefined ? (match.route.streamed ?? match.route) : match.route;
    if (!this.#integrations.mayInvoke(route)) return internalError;
    const event = this.#eventOf(received, match, requestId);
    if (event.body !== undefined && Buffer.byteLength(event.body) > MAX_EVENT_BODY_BYTES) return tooLarge;
    const invocation = { event, client: received.client };
    if (route.isUrl) return this.#stream(route, invocation);
    return responseOfOutcome(await this.#invoke(route, invocation));
  }

  #eventOf(received: Received, match: Match, requestId: string) {
    const origin = { apiId: this.#spec.id, domainName: this.#domainName, requestId, now: this.#clock.now() };
    return eventOf(received, match, origin);
  }

  #complete<R extends AnyResponse>(received: Received, response: R, requestId: string): R {
    const { cors } = this.#spec;
    return this.#shaped(cors ? withCors(response, cors, headerOf(received, 'origin')) : response, requestId);
  }

  #shaped<R extends AnyResponse>(response: R, requestId: string): R {
    const shaped = responseForm(response, this.#faults);
    return { ...shaped, headers: [...shaped.headers, 'Apigw-Requestid', requestId] };
  }

  async #stream({ functionName }: RouteSpec, request: UrlRequest): Promise<AnyResponse> {
    try {
      return await invokeByUrl((invocation) => this.#integrations.invoke(functionName, invocation), request);
    } catch {
      // The function is throttled.
      return tooMany;
    }
  }

  /** Each request to an endpoint is an event, and a POST of the API creates something. */
  #storesMore({ method }: Received): boolean {
    return this.name === 'ingress' || method === 'POST';
  }

  /** Undefined if the call did not reach the function, or if the function is late; it may still run then. */
  async #invoke({ functionName, timeoutMs }: RouteSpec, invocation: Invocation): Promise<Outcome | undefined> {
    try {
      const running = this.#integrations.invoke(functionName, invocation);
      return await this.#deadlinesOf(timeoutMs).within<Outcome | undefined>(running, () => undefined);
    } catch {
      return undefined;
    }
  }

  #deadlinesOf(timeoutMs: number): Deadlines {
    let deadlines = this.#deadlines.get(timeoutMs);
    if (!deadlines) this.#deadlines.set(timeoutMs, (deadlines = new Deadlines(timeoutMs)));
    return deadlines;
  }
}

const wantsBody = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'statusCode' in value && value.statusCode === WANTS_BODY.statusCode;

function responseOfOutcome(outcome: Outcome | undefined): HttpResponse {
  if (!outcome) return unavailable;
  if (!outcome.ok) return internalError;
  const response = responseOf(outcome.value);
  const characters = response.headers.reduce((sum, text) => sum + text.length, response.body.length);
  const isMeasured = characters * LONGEST_ESCAPE > MAX_RESPONSE_BYTES;
  return isMeasured && !Buffer.isBuffer(responseBytes(outcome.value)) ? internalError : response;
}

function headerOf({ rawHeaders }: Pick<Received, 'rawHeaders'>, header: string): string | undefined {
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? '';
    if (name.length === header.length && name.toLowerCase() === header) return rawHeaders[n + 1];
  }
  return undefined;
}
