export interface Answer {
  /** 0 without an answer. */
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
  post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return answerOf(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** A request to the API. */
  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return answerOf(`${this.#base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/** Repeats a request without an answer: the service may have closed an idle connection at the same moment. */
export async function answered(request: () => Promise<Answer>): Promise<Answer> {
  for (let attempts = 5; ; attempts -= 1) {
    const answer = await request();
    if (answer.status !== 0 || attempts === 1) return answer;
  }
}

/** A connection that breaks is no answer: the service may have been killed. */
async function answerOf(url: string, request: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, request);
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}
