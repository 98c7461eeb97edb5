import type { AppResponse } from '../../domain/app-hook/app-request.ts';
import { type OpenAppHook, receiveAppRequest } from '../../domain/app-hook/receive-app-request.ts';
import type { CarriedEvent } from '../../domain/event/carried-event.ts';
import { bodyText } from '../../domain/event/http-event.ts';
import type { SynchronousResponse } from '../../service/runs/synchronous-run.ts';
import { headersOf, type IngressEvent, receivedBody } from './ingress-request.ts';

/**
 * The event of an app's request, or the response to its check of the address; neither for an event that the component
 * did not ask for.
 */
export interface AppEvent {
  response?: SynchronousResponse;
  event?: CarriedEvent;
}

/** Throws `wrong_signature` for a request that the app did not sign. */
export async function readAppEvent(appHook: OpenAppHook, request: IngressEvent, now: number): Promise<AppEvent> {
  const headers = headersOf(request);
  const body = await receivedBody(request, headers);
  const received = receiveAppRequest(
    appHook,
    {
      method: request.requestContext.http.method,
      query: new URLSearchParams(request.rawQueryString),
      headers,
      content: body?.content ?? '',
      text: bodyText(body, headers.get('content-type') ?? ''),
    },
    now,
  );
  if ('response' in received) return { response: responseOf(received.response) };
  return received.eventText === undefined ? {} : { event: { json: received.eventText } };
}

const responseOf = ({ contentType, body }: AppResponse): SynchronousResponse => ({
  status: 200,
  headers: { 'content-type': contentType, 'x-content-type-options': 'nosniff' },
  body,
  base64: false,
});
