import { WANTS_BODY } from '../../domain/head-check.ts';
import { type SynchronousResponse } from '../../service/runs/synchronous-run.ts';
import type { ApiResult } from '../exchange.ts';
import type { Health } from '../health/health-check.ts';
import type { Log } from '../../lambda/log.ts';
import { encodedBody } from '../encoded-body.ts';
import { endpointProblemOf, logFault, problemResponse } from '../problem.ts';
import { createIngressReader, type IngressEvent, type IngressRequest, type LogIds } from './ingress-request.ts';
import { CORS_HEADERS } from './endpoint-cors.ts';

export interface IngressOptions {
  endpoint(request: IngressRequest, logIds: LogIds): Promise<SynchronousResponse>;
  /** Returns the fields of the trigger to answer with. */
  workflow(request: IngressRequest, logIds: LogIds): Promise<object>;
  /** Rejects for a request whose body must not be read. */
  bodyWanted(request: IngressRequest): Promise<void>;
  health: Health;
  /** Base URL of the ingress, without a trailing slash. */
  ingressUrl: string;
  log: Log;
}

/** Handles requests to source endpoints and reports of workflows. */
export function createIngressHandler({ endpoint, workflow, bodyWanted, health, ingressUrl, log }: IngressOptions) {
  const read = createIngressReader(ingressUrl);
  return async (event: IngressEvent): Promise<ApiResult> => {
    const { requestId } = event.requestContext;
    const startedAt = Date.now();
    const request = read(event);
    if (request.isHealthCheck) return health();
    const line: Parameters<LogIds>[0] = {};
    const logIds: LogIds = (ids) => Object.assign(line, ids);
    const served = (response: ApiResult, code?: string): ApiResult => {
      const { method, sourceIp: ip } = event.requestContext.http;
      const ms = Date.now() - startedAt;
      const status = response.statusCode;
      log.info('ingress.served', () => ({ requestId, ip, method, status, code, ...line, ms }));
      return response;
    };
    try {
      if (request.isHeadCheck === true) {
        await bodyWanted(request);
        return WANTS_BODY;
      }
      if (request.isToWorkflow) return served(reported(await workflow(request, logIds), requestId));
      const { status: statusCode, headers, cookies, body, base64 } = await endpoint(request, logIds);
      const encoded = base64 ? { body, isBase64Encoded: true } : encodedBody(body);
      const response = { statusCode, headers, ...encoded };
      return served(cookies ? { ...response, cookies } : response);
    } catch (error) {
      const problem = endpointProblemOf(error);
      logFault(log, 'ingress', requestId, problem);
      const { headers, ...response } = problemResponse(problem, requestId);
      const cors = request.isToWorkflow ? {} : CORS_HEADERS;
      return served({ ...response, headers: { ...headers, ...cors } }, problem.code);
    }
  };
}

const reported = (trigger: object, requestId: string): ApiResult => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json', 'x-request-id': requestId },
  body: JSON.stringify({ data: trigger }),
});
