import { createAuthenticator } from '../shared/http/authentication.ts';
import { createApiHandler, type Operation, operation } from '../shared/http/http.ts';
import { createLiveAuthenticator } from '../shared/http/tokens/live-authentication.ts';
import { liveRequest } from '../shared/http/live-request.ts';
import { live as routes } from '../shared/http/routes/live-routes.ts';
import { gatheredHandler, streamedHandler } from '../shared/http/streamed-handler.ts';
import { showEvent } from '../shared/http/show/event-summaries.ts';
import { liveServices } from '../shared/lambda/wiring/api-wiring.ts';
import { openLiveStream } from '../shared/service/live/open-live-stream.ts';
import { sourceOwner, workflowOwner } from '../shared/service/live/stream-owner.ts';

const services = liveServices(showEvent);
const { sources, workflows, users, log, now } = services;

const respond = (isPoll: boolean) =>
  createApiHandler(
    {
      streamSourceEvents: operation(routes.streamSourceEvents, async (request) => {
        const { id: emitterId } = request.parameters;
        const owner = sourceOwner(sources, emitterId, request.caller.userId);
        return { stream: await openLiveStream(services, liveRequest(request, { emitterId, owner, isPoll })) };
      }),

      streamWorkflowEvents: operation(routes.streamWorkflowEvents, async (request) => {
        const { workflow_id: emitterId } = request.parameters;
        const owner = workflowOwner(workflows, emitterId, request.caller.userId);
        return { stream: await openLiveStream(services, liveRequest(request, { emitterId, owner, isPoll })) };
      }),
    } satisfies Record<keyof typeof routes, Operation>,
    { authenticate: createLiveAuthenticator({ byKey: createAuthenticator(users), users, now }), log },
  );

/** Live streams, by a function URL: only that streams a response. */
export const handler = streamedHandler(respond(false));

/** The same as long polls, by API Gateway. */
export const poll = gatheredHandler(respond(true));
