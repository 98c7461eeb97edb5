import { createHealth } from '../shared/http/health/health-check.ts';
import { createBodyWanted } from '../shared/http/ingress/body-wanted.ts';
import { createEndpoint } from '../shared/http/ingress/endpoint.ts';
import { createIngressHandler } from '../shared/http/ingress/ingress-handler.ts';
import { createWorkflowIngest } from '../shared/http/ingress/workflow-ingest.ts';
import { ingressServices } from '../shared/lambda/wiring/run-wiring.ts';
import { type Commit, commitRuns } from '../shared/service/commit/commit.ts';
import { executeSynchronously } from '../shared/service/runs/synchronous-run.ts';

const { log, ingressUrl, marks, ...services } = ingressServices();
const commit: Commit = (work) => commitRuns(services, work);

/** Handles requests to source endpoints and reports of workflows. */
export const handler = createIngressHandler({
  endpoint: createEndpoint({
    ...services,
    runSynchronously: (source, trigger, event) =>
      services.share.run(source, () => executeSynchronously({ ...services, commit }, trigger, event)),
  }),
  workflow: createWorkflowIngest(services),
  bodyWanted: createBodyWanted(services),
  health: createHealth({ read: marks.read, now: services.now }),
  ingressUrl,
  log,
});
