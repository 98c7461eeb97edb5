import { randomUUID } from 'node:crypto';
import type { CarriedEvent } from '../../domain/event/carried-event.ts';
import { traceFields } from '../../domain/event/trace.ts';
import type { RunTrigger, Trigger } from '../../domain/run/message.ts';
import { type Admission, refusedError } from '../../service/admission/admission.ts';
import { SUCCESS, type SynchronousResponse } from '../../service/runs/synchronous-run.ts';
import { noEndpoint, type OpenEndpoint, suspendedSource } from '../../service/sources/endpoint-resolver.ts';
import { httpEvent } from '../../domain/event/http-event.ts';
import { readAppEvent } from './app-event.ts';
import { CORS_HEADERS, preflightResponse } from './endpoint-cors.ts';
import { headersOf, type IngressRequest, type LogIds, receivedBody } from './ingress-request.ts';

export interface EndpointOptions {
  resolveEndpoint(endpointId: string): Promise<OpenEndpoint | undefined>;
  admission: Admission;
  /** Resolves when the trigger is durable. */
  sendTrigger(trigger: Trigger): Promise<void>;
  /** Throws `overloaded` when too many runs of the source, or of its owner, are in progress. */
  runSynchronously(source: OpenEndpoint, trigger: RunTrigger, event: CarriedEvent): Promise<SynchronousResponse>;
  now(): number;
}

const ACCEPTED: SynchronousResponse = { ...SUCCESS, headers: { ...SUCCESS.headers, ...CORS_HEADERS } };

/**
 * Handles a request to a source's endpoint, with any method and sub-path. Every request makes its own trigger; equal
 * requests too.
 */
export const createEndpoint =
  ({ resolveEndpoint, admission, sendTrigger, runSynchronously, now }: EndpointOptions) =>
  async (request: IngressRequest, logIds: LogIds): Promise<SynchronousResponse> => {
    const {
      endpoint: target,
      rawQueryString: query,
      requestContext: { http },
    } = request;
    const endpoint = target && (await resolveEndpoint(target.endpointId));
    const preflight = endpoint?.customResponse === true ? undefined : preflightResponse(request);
    if (preflight) return preflight;
    if (!endpoint) throw noEndpoint();
    logIds({ emitter: endpoint.sourceId });
    if (endpoint.suspension && endpoint.customResponse) throw suspendedSource();
    const fromApp = endpoint.appHook && (await readAppEvent(endpoint.appHook, request, now()));
    if (fromApp && !fromApp.event) return fromApp.response ?? ACCEPTED;
    const refusal = await admission.admit(endpoint, 'http');
    if (refusal) {
      if (refusal.skipNotice) await sendTrigger(refusal.skipNotice);
      throw refusedError(refusal);
    }
    const headers = headersOf(request);
    const received = receivedBody(request, headers);
    // Waiting costs every request time, and only forms of several parts need it.
    const body = received instanceof Promise ? await received : received;
    const event =
      fromApp?.event ??
      httpEvent({
        method: http.method,
        query,
        clientIp: http.sourceIp,
        path: target.path,
        address: target.address,
        headers,
        body,
      });
    const trigger: RunTrigger = {
      kind: 'run',
      id: `http-${randomUUID()}`,
      emitterId: endpoint.sourceId,
      ownerId: endpoint.ownerId,
      at: now(),
      cause: 'http',
      payload: { json: event.json },
      body: event.body,
      hops: 0,
      ...traceFields(request.headers),
    };
    logIds({ trigger: trigger.id, trace: trigger.trace?.id });
    if (endpoint.customResponse) return runSynchronously(endpoint, trigger, event);
    await sendTrigger(trigger);
    return ACCEPTED;
  };
