import { errorCodesIn } from '../../domain/oauth/error-code.ts';
import type { Quirk } from '../../domain/oauth/quirk.ts';
import type { ResolvedClient } from '../../domain/oauth/resolved-client.ts';
import { isObject, valueAt } from '../../domain/oauth/value-at.ts';
import { withoutQuirks } from './response-quirks.ts';
import { NoResponseError, type ProviderRequest } from './provider-fetch.ts';
import { checkText, checkToken } from './unusable-token.ts';

export type AddressKind = 'token' | 'identity' | 'revocation';

/** The request of oauth4webapi. */
interface StandardRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

type Members = Readonly<Record<string, unknown>>;
type Request = Omit<ProviderRequest, 'timeoutMs'>;
type Fetch = (url: string, request: Request) => Promise<Response>;

/** The standard's error for a refresh token or code that will never work again. */
const VOID_ERROR = 'invalid_grant';

/**
 * One request of a client: `send` is the `fetch` of oauth4webapi. It gives the request and the response the provider's
 * quirks, and keeps the response.
 */
export class ClientFetch {
  readonly #fetch: Fetch;
  readonly #client: ResolvedClient;
  readonly #kind: AddressKind;
  readonly #now: () => number;
  #status = 0;
  #errorCodes: readonly string[] = [];
  #retryAfter: string | undefined;
  #body: unknown;
  #standard: unknown;

  constructor(fetch: Fetch, { client, kind, now }: { client: ResolvedClient; kind: AddressKind; now: () => number }) {
    this.#fetch = fetch;
    this.#client = client;
    this.#kind = kind;
    this.#now = now;
  }

  /** Status of the response; 0 before it. */
  get status(): number {
    return this.#status;
  }

  /** The codes of the error in the response, as far as the standard or the provider's entry names them. */
  get errorCodes(): readonly string[] {
    return this.#errorCodes;
  }

  get retryAfter(): string | undefined {
    return this.#retryAfter;
  }

  /** The JSON of the response as the provider sent it; undefined without any. */
  get body(): unknown {
    return this.#body;
  }

  /** The object of the response that has the members of the standard. */
  get standard(): unknown {
    return this.#standard;
  }

  get kind(): AddressKind {
    return this.#kind;
  }

  readonly send = async (url: string, request: StandardRequest): Promise<Response> => {
    const response = await this.#fetch(url, this.#requestOf(request));
    const text = await response.text();
    this.#status = response.status;
    this.#retryAfter = response.headers.get('retry-after') ?? undefined;
    this.#body = this.#parsed(text);
    if (response.status >= 300 && response.status < 400)
      throw new NoResponseError(
        `The address answers with a redirect (status ${response.status}), which is not followed`,
      );
    this.#standard = this.#body;
    if (!isObject(this.#body)) {
      if (this.#kind === 'token' && this.#isSuccess) checkText(text, this.#client.provider);
      return responseOf(response.status, text);
    }
    if (this.#kind === 'token') return this.#standardResponse(this.#body);
    this.#errorCodes = errorCodesIn(this.#body, this.#client.provider);
    return responseOf(response.status, text);
  };

  #has(quirk: Quirk): boolean {
    return this.#client.provider.quirks.includes(quirk);
  }

  #requestOf({ method, headers, body }: StandardRequest): Request {
    const text = body instanceof URLSearchParams || typeof body === 'string' ? String(body) : undefined;
    const isJson =
      (this.#kind === 'token' && (this.#client.provider.tokenAuth === 'json' || this.#has('json-body'))) ||
      (this.#kind === 'revocation' && this.#has('json-revocation'));
    if (!isJson || !(body instanceof URLSearchParams)) return { method, headers, body: text };
    return {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(body)),
    };
  }

  #parsed(text: string): unknown {
    try {
      const body: unknown = JSON.parse(text);
      return body;
    } catch {
      return this.#has('form-encoded-answer') ? Object.fromEntries(new URLSearchParams(text)) : undefined;
    }
  }

  get #isSuccess(): boolean {
    return this.#status >= 200 && this.#status < 300;
  }

  /** Any success with a token is one of the standard. Throws `UnusableTokenError` for a token of another form. */
  #standardResponse(sent: Members): Response {
    const { provider } = this.#client;
    const found = provider.answer === undefined ? undefined : valueAt(sent, provider.answer);
    const standard = isObject(found) ? found : sent;
    this.#standard = standard;
    const changed = withoutQuirks({ status: this.#status, body: present(standard), now: this.#now() }, provider.quirks);
    const body = present(changed.body);
    this.#errorCodes = errorCodesIn(body, provider);
    if (this.#isSuccess && changed.status === this.#status) {
      checkToken(body, provider);
      if (body['access_token'] !== undefined) return responseOf(200, JSON.stringify(standardMembers(body)));
    }
    const isVoid = [body['error'], body['message']].some(
      (value) => typeof value === 'string' && provider.voidErrors?.includes(value),
    );
    return responseOf(
      changed.status,
      JSON.stringify(isVoid && changed.status >= 400 ? { ...body, error: VOID_ERROR } : body),
    );
  }
}

/** Members that are null or an empty text are absent. */
const present = (body: Members): Members =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));

/** A lifetime that is no positive number is absent. Id tokens are not used, so that nothing is demanded of them. */
function standardMembers({ access_token, token_type, refresh_token, expires_in, scope }: Members): Members {
  const seconds = typeof expires_in === 'string' ? Number(expires_in) : expires_in;
  const lifetime =
    typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? { expires_in: seconds } : {};
  return { access_token, token_type, refresh_token, scope, ...lifetime };
}

/** oauth4webapi wants the media type of JSON where it reads errors. */
const responseOf = (status: number, text: string): Response =>
  new Response(status === 204 ? null : text, { status, headers: { 'content-type': 'application/json' } });
