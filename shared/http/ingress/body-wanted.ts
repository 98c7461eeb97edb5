import { noEndpoint, type OpenEndpoint } from '../../service/sources/endpoint-resolver.ts';
import type { WorkflowStore } from '../../store/workflows.ts';
import { preflightResponse } from './endpoint-cors.ts';
import { endpointPath, type IngressEvent } from './ingress-request.ts';
import { isWorkflowPath, workflowOf } from './workflow-ingest.ts';

export interface BodyWantedOptions {
  resolveEndpoint(endpointId: string): Promise<OpenEndpoint | undefined>;
  workflows: Pick<WorkflowStore, 'find'>;
}

/** Throws for a request that no open endpoint and no workflow takes, so that its body gets no buffer. */
export const createBodyWanted =
  ({ resolveEndpoint, workflows }: BodyWantedOptions) =>
  async (request: IngressEvent): Promise<void> => {
    const { rawPath, headers } = request;
    if (isWorkflowPath(rawPath)) {
      await workflowOf(workflows, { rawPath, headers });
      return;
    }
    // It is answered at every address.
    if (preflightResponse(request)) return;
    const { endpointId } = endpointPath(rawPath) ?? {};
    if (endpointId === undefined || !(await resolveEndpoint(endpointId))) throw noEndpoint();
  };
