import { WANTS_BODY } from '../../domain/head-check.ts';
import { type SynchronousResponse } from '../../service/runs/synchronous-run.ts';
import type { ApiResult } from '../exchange.ts';
import type { Log } from '../../lambda/log.ts';
import { endpointProblemOf, logFault, problemResponse } from '../problem.ts';
import type { IngressEvent, LogIds } from './ingress-request.ts';
import { decodedPath } from './decoded-path.ts';
import { CORS_HEADERS } from './endpoint-cors.ts';
import { isWorkflowPath } from './workflow-ingest.ts';

export interface IngressOptions {
  endpoint(request: IngressEvent, logIds: LogIds): Promise<SynchronousResponse>;
  /** Returns the fields of the trigger to answer with. */
  workflow(request: IngressEvent, logIds: LogIds): Promise<object>;
  /** Rejects for a request whose body must not be read. */
  bodyWanted(request: IngressEvent): Promise<void>;
  log: Log;
}

/** Handles requests to source endpoints and reports of workflows. */
export const createIngressHandler =
  ({ endpoint, workflow, bodyWanted, log }: IngressOptions) =>
  async (event: IngressEvent): Promise<ApiResult> => {
    const { requestId } = event.requestContext;
    const startedAt = Date.now();
    const request = { ...event, rawPath: decodedPath(event.rawPath) };
    const line: Parameters<LogIds>[0] = {};
    const logIds: LogIds = (ids) => {
      Object.assign(line, ids);
    };
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
      if (isWorkflowPath(request.rawPath))
        return served(reported(await workflow(request, logIds), requestId));
      const { status: statusCode, headers, cookies, body, base64 } = await endpoint(request, logIds);
      const response = { statusCode, headers, body, isBase64Encoded: base64 };
      return served(cookies ? { ...response, cookies } : response);
    } catch (error) {
      const problem = endpointProblemOf(error);
      logFault(log, 'ingress', requestId, problem);
      const { headers, ...response } = problemResponse(problem, requestId);
      const cors = isWorkflowPath(request.rawPath) ? {} : CORS_HEADERS;
      return served({ ...response, headers: { ...headers, ...cors } }, problem.code);
    }
  };

const reported = (trigger: object, requestId: string): ApiResult => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json', 'x-request-id': requestId },
  body: JSON.stringify({ data: trigger }),
});
