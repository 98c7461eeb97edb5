/** A browser without pages: it keeps the cookies of one host, whatever the port, and follows no redirect. */
export class BrowserClient {
  /** By name; a cookie of the same name takes the place of an earlier one. */
  readonly cookies = new Map<string, string>();

  async get(url: string | URL): Promise<Page> {
    return this.#send(url, {});
  }

  /** Sends the only form of a page, with further values. */
  async submit(page: Page, more: Record<string, string> = {}): Promise<Page> {
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page.text) ?? [];
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    );
    return this.#send(new URL(action, page.url), {
      method: 'POST',
      body: new URLSearchParams({ ...Object.fromEntries(hidden), ...more }),
    });
  }

  async #send(url: string | URL, init: RequestInit): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      ...(cookie === '' ? {} : { headers: { cookie } }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.cookies.set(name, value);
    }
    return {
      url: String(url),
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location') ?? '',
      text: await response.text(),
    };
  }
}

export interface Page {
  url: string;
  status: number;
  headers: Headers;
  location: string;
  text: string;
}
