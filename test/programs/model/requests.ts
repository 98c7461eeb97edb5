export interface HttpResponse {
  /** 0 without a response. */
  readonly status: number;
  readonly text: string;
}

/** The requests of one user of the service. */
export class Requests {
  readonly #base: string;
  readonly #key: string;

  /** `base` ends in `/v1`. */
  constructor({ base, key }: { base: string; key: string }) {
    this.#base = base;
    this.#key = key;
  }

  /** A request to an emitter. */
  post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return responseOf(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** A request to the API. */
  call(method: string, path: string, body?: unknown): Promise<HttpResponse> {
    return responseOf(`${this.#base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/** Repeats a request without a response: the service may have closed an idle connection at the same moment. */
export async function answered(request: () => Promise<HttpResponse>): Promise<HttpResponse> {
  for (let attempts = 5; ; attempts -= 1) {
    const response = await request();
    if (response.status !== 0 || attempts === 1) return response;
  }
}

/** A connection that breaks is no response: the service may have been killed. */
async function responseOf(url: string, request: RequestInit): Promise<HttpResponse> {
  try {
    const response = await fetch(url, request);
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}
