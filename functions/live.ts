import { createAuthenticator } from '../shared/http/authentication.ts';
import { createApiHandler, type Operation, operation } from '../shared/http/http.ts';
import { createLiveAuthenticator } from '../shared/http/live-authentication.ts';
import { liveRequest } from '../shared/http/live-request.ts';
import { live as routes } from '../shared/http/routes/live-routes.ts';
import { streamedHandler } from '../shared/http/streamed-handler.ts';
import { showEvent } from '../shared/http/show/event-summaries.ts';
import { liveServices } from '../shared/lambda/wiring/live-wiring.ts';
import { openLiveStream } from '../shared/service/live/open-live-stream.ts';
import { sourceOwner, workflowOwner } from '../shared/service/live/stream-owner.ts';

const services = liveServices(showEvent);
const { sources, workflows, users, log, now } = services;

/** Live streams, by a function URL: only that streams a response. */
export const handler = streamedHandler(
  createApiHandler(
    {
      streamSourceEvents: operation(routes.streamSourceEvents, async (request) => {
        const { id } = request.parameters;
        const owner = sourceOwner(sources, id, request.caller.userId);
        return { stream: await openLiveStream(services, liveRequest(request, id, owner)) };
      }),

      streamWorkflowEvents: operation(routes.streamWorkflowEvents, async (request) => {
        const { workflow_id: id } = request.parameters;
        const owner = workflowOwner(workflows, id, request.caller.userId);
        return { stream: await openLiveStream(services, liveRequest(request, id, owner)) };
      }),
    } satisfies Record<keyof typeof routes, Operation>,
    { authenticate: createLiveAuthenticator({ byKey: createAuthenticator(users), users, now }), log },
  ),
);
