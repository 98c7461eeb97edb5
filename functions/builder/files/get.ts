import type { Dispatcher } from 'undici';

export interface HttpResponse {
  status: number;
  /** Header values, empty when missing. */
  type: string;
  location: string;
  /** Body of a 200; absent when it exceeds `maxBytes`. */
  bytes?: Buffer;
}

const text = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');

/** One GET request. Uses only undici's `dispatch`, the part of undici in the functions' bundles. */
export function get(
  dispatcher: Dispatcher,
  { origin, pathname, search }: URL,
  { headers, signal, maxBytes }: { headers: Record<string, string>; signal: AbortSignal; maxBytes: number },
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let abort: (() => void) | undefined;
    const onAbort = () => {
      settle(() => reject(reasonOf(signal)));
      abort?.();
    };
    const settle = (settled: () => void) => {
      signal.removeEventListener('abort', onAbort);
      settled();
    };
    const response: HttpResponse = { status: 0, type: '', location: '' };
    const chunks: Buffer[] = [];
    let read = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        abort = () => controller.abort(new Error('No longer needed'));
        if (signal.aborted) abort?.();
      },
      onResponseStart(_, status, answered) {
        if (status < 200) return;
        Object.assign(response, {
          status,
          type: text(answered['content-type']),
          location: text(answered['location']),
        });
      },
      onResponseData(_, chunk) {
        read += chunk.byteLength;
        if (response.status === 200) chunks.push(chunk);
        if (read <= maxBytes) return;
        settle(() => resolve(response));
        abort?.();
      },
      onResponseEnd: () =>
        settle(() => resolve(response.status === 200 ? { ...response, bytes: Buffer.concat(chunks) } : response)),
      onResponseError: (_, error) => settle(() => reject(error)),
    };
    if (signal.aborted) return reject(reasonOf(signal));
    signal.addEventListener('abort', onAbort);
    try {
      dispatcher.dispatch({ origin, path: `${pathname}${search}`, method: 'GET', headers }, handler);
    } catch (error) {
      settle(() => reject(error instanceof Error ? error : new Error(String(error))));
    }
  });
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('No longer needed', { cause: reason });
