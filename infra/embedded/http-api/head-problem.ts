import type { IncomingMessage } from 'node:http';
import { badHost, badTransferEncoding, type Refusal } from './responses/refusal.ts';

/**
 * Problems of headers that Node's parser lets through. A proxy in front may have read the other one of two `Host`
 * headers. Undefined if there is none.
 */
export function headProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | undefined {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') return badTransferEncoding;
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0') ? undefined : badHost;
}
