import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

interface HostRequest {
  /** The address as its sender knows it. */
  url: string;
  /** `Host` as the sender writes it; default: the host of the address. */
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request to an origin of this machine, to which no name leads. */
export async function requestOfHost(
  origin: string,
  { url, host, method = 'POST', headers = {}, body = '' }: HostRequest,
): Promise<{ status: number; text: string; headers: IncomingHttpHeaders }> {
  const to = new URL(url);
  return new Promise((resolve, reject) => {
    request(
      `${origin}${to.pathname}${to.search}`,
      { method, headers: { host: host ?? to.host, ...headers } },
      (response) => {
        text(response).then((body) => {
          resolve({ status: response.statusCode ?? 0, text: body, headers: response.headers });
        }, reject);
      },
    )
      .on('error', reject)
      .end(body);
  });
}
