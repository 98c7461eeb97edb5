import type { IncomingMessage } from 'node:http';
import { badHost, badTransferEncoding, headTooLarge, type Refusal } from './responses/refusal.ts';

/**
 * Bytes of the request line and the values of the headers.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const MAX_HEAD_BYTES = 10_240;

/**
 * Problems of headers that Node's parser lets through. A proxy in front may have read the other one of two `Host`
 * headers. Undefined if there is none.
 */
export function headProblem({ method, url, rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | undefined {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') return badTransferEncoding;
  let hosts = 0;
  let bytes = `${method ?? ''} ${url ?? ''} HTTP/1.1`.length;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? '';
    bytes += rawHeaders[n + 1]?.length ?? 0;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (bytes > MAX_HEAD_BYTES) return headTooLarge;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0') ? undefined : badHost;
}
