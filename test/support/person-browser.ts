import type { TestCloud } from './cloud.ts';
import type { IdentityProvider } from './identity-provider.ts';

interface Sent {
  headers?: Record<string, string>;
  body?: unknown;
}

/** As much of a browser as a sign-in needs: cookies of one host, and the last address that it was sent to. */
export class Browser {
  readonly cookies = new Map<string, string>();
  location = '';
  setCookies: string[] = [];
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Goes to an address of the API as a person does, and takes the redirect without following it. */
  async go(url: URL): Promise<Response> {
    return this.#fetch(url, { headers: {} });
  }

  /** Sends a request to the API as the page does. */
  send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Response> {
    return this.#fetch(new URL(`${this.#base}${path}`), {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #fetch(url: URL, request: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const headers = { ...request.headers, cookie: this.cookieHeader };
    const response = await fetch(url, { ...request, headers, redirect: 'manual' });
    this.setCookies = response.headers.getSetCookie();
    for (const set of this.setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.cookies.set(name, value);
    }
    this.location = response.headers.get('location') ?? this.location;
    return response;
  }
}

/** A new browser at the address of the provider. */
export async function visit({ base }: Pick<TestCloud, 'base'>, query = ''): Promise<Browser> {
  const browser = new Browser(base);
  await browser.go(new URL(`${base}/session/sign_in${query}`));
  return browser;
}

/** A new browser whose person has come back from the provider. */
export async function signedIn(
  { cloud, provider }: { cloud: Pick<TestCloud, 'base'>; provider: IdentityProvider },
  email: string,
  query = '',
): Promise<Browser> {
  const browser = await visit(cloud, query);
  await browser.go(await provider.signIn(browser.location, email));
  return browser;
}
