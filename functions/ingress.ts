import { createEndpoint } from '../shared/http/ingress/endpoint.ts';
import { createIngressHandler } from '../shared/http/ingress/ingress-handler.ts';
import { createWorkflowIngest } from '../shared/http/ingress/workflow-ingest.ts';
import { ingressServices } from '../shared/lambda/services.ts';
import { executeSynchronously } from '../shared/service/runs/synchronous-run.ts';

const { log, ...services } = ingressServices();

/** Requests to the endpoints of sources, and the reports of workflows. */
export const handler = createIngressHandler({
  endpoint: createEndpoint({
    ...services,
    runSynchronously: (trigger, event) => executeSynchronously(services, trigger, event),
  }),
  workflow: createWorkflowIngest(services),
  log,
});
