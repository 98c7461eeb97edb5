import { noEndpoint, type OpenEndpoint } from '../../service/sources/endpoint-resolver.ts';
import type { WorkflowStore } from '../../store/emitters/workflows.ts';
import { preflightResponse } from './endpoint-cors.ts';
import type { IngressRequest } from './ingress-request.ts';
import { workflowOf } from './workflow-ingest.ts';

export interface BodyWantedOptions {
  resolveEndpoint(endpointId: string): Promise<OpenEndpoint | undefined>;
  workflows: Pick<WorkflowStore, 'find'>;
}

/** Throws for a request that no open endpoint and no workflow takes, so that its body gets no buffer. */
export const createBodyWanted =
  ({ resolveEndpoint, workflows }: BodyWantedOptions) =>
  async (request: IngressRequest): Promise<void> => {
    if (request.isToWorkflow) {
      await workflowOf(workflows, request);
      return;
    }
    // It is answered at every address.
    if (preflightResponse(request)) return;
    const { endpoint } = request;
    if (!endpoint || !(await resolveEndpoint(endpoint.endpointId))) throw noEndpoint();
  };
