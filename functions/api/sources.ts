import { streamOf } from '../../shared/domain/event/stream.ts';
import { all, nothing, one } from '../../shared/http/api-response.ts';
import { newLiveToken } from '../../shared/http/tokens/new-live-token.ts';
import { serve } from '../../shared/http/serve.ts';
import { sourceServices } from '../../shared/lambda/wiring/source-wiring.ts';
import { oneEvent, legacyEvents, showEmitted, summaryPage } from '../../shared/http/show/event-summaries.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { sources as routes } from '../../shared/http/routes/source-routes.ts';
import { sourceSettingsOf } from '../../shared/http/settings/source-settings.ts';
import { createSourceResponses, showRun } from '../../shared/http/show/source-responses.ts';
import { createSource } from '../../shared/service/sources/create-source.ts';
import { deleteSourceEvents, deleteSourceTriggers } from '../../shared/service/sources/delete-source-events.ts';
import { deleteSource } from '../../shared/service/sources/delete-source.ts';
import { findEvents } from '../../shared/service/sources/find-events.ts';
import { findRun } from '../../shared/service/sources/find-run.ts';
import { checkReadable } from '../../shared/service/sources/readable-source.ts';
import { requestRun } from '../../shared/service/sources/request-run.ts';
import { resetDedupe } from '../../shared/service/sources/reset-dedupe.ts';
import { ownedSource } from '../../shared/service/sources/owned-source.ts';
import { updateSource } from '../../shared/service/sources/update-source.ts';

const services = sourceServices();
const { ofSource, ofChange, ofPage, filterOf } = createSourceResponses(services);

export const handler = serve('sources', {
  listSources: operation(routes.listSources, async ({ input, caller: { userId: ownerId } }) => {
    const { items, totalCount } = await services.sources.list(ownerId, input, filterOf(input));
    return ofPage({ ownerId, items, totalCount, isBackward: input.before !== undefined });
  }),

  createSource: operation(routes.createSource, async ({ input, caller: { userId }, deadline }) => {
    const settings = sourceSettingsOf(input);
    return ofChange(await createSource(services, { selectors: input, settings, userId, deadline }));
  }),

  getSource: operation(routes.getSource, async ({ parameters: { id }, caller: { userId } }) =>
    ofSource(await ownedSource(services, id, userId)),
  ),

  updateSource: operation(routes.updateSource, async ({ parameters: { id }, input, caller, deadline }) => {
    const request = { id, selectors: input, settings: sourceSettingsOf(input), userId: caller.userId };
    return ofChange(await updateSource(services, { ...request, deadline }));
  }),

  deleteSource: operation(routes.deleteSource, async ({ parameters: { id }, caller: { userId }, logRemoved }) => {
    await ownedSource(services, id, userId);
    logRemoved({ subscriptions: await services.subscriptions.countOf(id) });
    await deleteSource(services, id, userId);
    return nothing;
  }),

  runSource: operation(routes.runSource, async ({ parameters: { id }, caller: { userId }, ...request }) => {
    const { text: event, trace, clientIp } = request;
    const trigger = await requestRun(services, { id, userId, event, trace, clientIp });
    request.logTrigger(trigger);
    return one({ id: trigger });
  }),

  getSourceRun: operation(routes.getSourceRun, async ({ parameters, caller: { userId } }) =>
    one(showRun(await findRun(services, parameters, userId))),
  ),

  listSourceEventSummaries: operation(routes.listSourceEventSummaries, async (request) => {
    const { parameters, caller, input } = request;
    await checkReadable(services, parameters.id, caller.userId);
    const stream = streamOf(input.event_name);
    return summaryPage(services, { ...input, by: request, emitterId: parameters.id, stream });
  }),

  getSourceEvent: operation(routes.getSourceEvent, async (request) => {
    const { id: emitterId, event_id: eventId } = request.parameters;
    await checkReadable(services, emitterId, request.caller.userId);
    return oneEvent(services, {
      by: request,
      emitterId,
      stream: streamOf(request.input.event_name),
      eventId,
    });
  }),

  findEvents: operation(routes.findEvents, async ({ parameters, caller: { userId } }) =>
    all((await findEvents(services, userId, parameters.event_id)).map(showEmitted)),
  ),

  listSourceEvents: operation(routes.listSourceEvents, async (request) => {
    const { parameters, caller, input } = request;
    await checkReadable(services, parameters.id, caller.userId);
    const stream = streamOf(input.event_name);
    return legacyEvents(services, { by: request, emitterId: parameters.id, stream, limit: input.n });
  }),

  createSourceToken: operation(routes.createSourceToken, async ({ parameters: { id }, input, caller }) => {
    await checkReadable(services, id, caller.userId);
    return newLiveToken(services, id, { input, caller });
  }),

  deleteSourceEvents: operation(routes.deleteSourceEvents, async ({ parameters: { id }, input, caller }) => {
    const { start_id: start, end_id: end, event_name: eventName } = input;
    await deleteSourceEvents(services, { id, userId: caller.userId, start, end, eventName });
    return nothing;
  }),

  resetSourceDedupe: operation(routes.resetSourceDedupe, async ({ parameters: { id }, caller }) => {
    await resetDedupe(services, id, caller.userId);
    return nothing;
  }),

  deleteSourceTriggers: operation(routes.deleteSourceTriggers, async ({ parameters: { id }, caller }) => {
    await deleteSourceTriggers(services, id, caller.userId);
    return nothing;
  }),
} satisfies Record<keyof typeof routes, Operation>);
