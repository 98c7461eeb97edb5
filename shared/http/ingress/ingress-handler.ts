import { type SynchronousAnswer } from '../../service/runs/synchronous-run.ts';
import type { ApiResult } from '../exchange.ts';
import { describeError, type Log } from '../../lambda/log.ts';
import { problemAnswer, problemOf } from '../problem.ts';
import type { IngressEvent } from './ingress-request.ts';
import { isWorkflowPath } from './workflow-ingest.ts';

export interface IngressOptions {
  endpoint(request: IngressEvent): Promise<SynchronousAnswer>;
  /** Returns the fields of the trigger to answer with. */
  workflow(request: IngressEvent): Promise<object>;
  log: Log;
}

/** Handles requests to source endpoints and reports of workflows. */
export const createIngressHandler =
  ({ endpoint, workflow, log }: IngressOptions) =>
  async (request: IngressEvent): Promise<ApiResult> => {
    const { requestId } = request.requestContext;
    try {
      if (isWorkflowPath(request.rawPath)) return reported(await workflow(request), requestId);
      const { status, headers, cookies, body, base64 } = await endpoint(request);
      return { statusCode: status, headers, body, isBase64Encoded: base64, ...(cookies ? { cookies } : {}) };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'internal') {
        log.error('ingress.failed', { requestId, error: describeError(problem.cause) });
      }
      return problemAnswer(problem, requestId);
    }
  };

const reported = (trigger: object, requestId: string): ApiResult => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json', 'x-request-id': requestId },
  body: JSON.stringify({ data: trigger }),
});
