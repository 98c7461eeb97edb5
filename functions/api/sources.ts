import { randomBytes } from 'node:crypto';
import { createBucket } from '../../shared/aws/bucket.ts';
import { createBuilder } from '../../shared/aws/builder.ts';
import { kmsClient, lambdaClient, s3Client, sqsClient } from '../../shared/aws/clients.ts';
import { createTriggerSender } from '../../shared/aws/queues.ts';
import { createRunner } from '../../shared/aws/runner.ts';
import { createVault } from '../../shared/aws/vault.ts';
import { createAccountReader } from '../../shared/service/accounts/account-reader.ts';
import { createQuotas } from '../../shared/service/admission/quotas.ts';
import { Limits } from '../../shared/domain/limits.ts';
import type { Source } from '../../shared/domain/source.ts';
import { streamOf } from '../../shared/domain/stream.ts';
import { fitting, nothing, one, page } from '../../shared/http/answer.ts';
import { serve, table, users } from '../../shared/http/serve.ts';
import { createConfigurator } from '../../shared/service/components/configurator.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { legacyEvents, summaryPage } from '../../shared/http/event-summaries.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { sources as at } from '../../shared/http/routes/source-routes.ts';
import { inList, showSource } from '../../shared/http/show.ts';
import { accountStore } from '../../shared/store/accounts.ts';
import { autoSubscriptionStore } from '../../shared/store/auto-subscriptions.ts';
import { componentStore } from '../../shared/store/components.ts';
import { encodeCursor } from '../../shared/store/cursor.ts';
import { overloadStore } from '../../shared/store/overloaded-sources.ts';
import { newestEventStore } from '../../shared/store/newest-event.ts';
import { sourceStore } from '../../shared/store/sources.ts';
import { storedEventStore } from '../../shared/store/stored-events.ts';
import { subscriptionStore } from '../../shared/store/subscriptions.ts';
import { usageStore } from '../../shared/store/usage.ts';
import { createSource } from '../../shared/service/sources/create-source.ts';
import { deleteSourceEvents } from '../../shared/service/sources/delete-source-events.ts';
import { deleteSource } from '../../shared/service/sources/delete-source.ts';
import { requestRun } from '../../shared/service/sources/request-run.ts';
import { ownedSource, type SourceServices } from '../../shared/service/sources/owned-source.ts';
import { updateSource } from '../../shared/service/sources/update-source.ts';

const env = environment(
  'BUCKET_NAME',
  'BUILDER_FUNCTION',
  'RUNNER_FUNCTION',
  'ACCOUNT_KEY_ARN',
  'RUNS_QUEUE_URL',
  'INGRESS_URL',
  'LIMITS',
);
const lambda = lambdaClient();
const bucket = createBucket(s3Client(), env.BUCKET_NAME);
const limits = Limits.parse(JSON.parse(env.LIMITS));
const now = () => Date.now();
const runner = createRunner(lambda, env.RUNNER_FUNCTION);
const accounts = accountStore(table);
const services: SourceServices = {
  sources: sourceStore(table),
  components: componentStore(table),
  subscriptions: subscriptionStore(table),
  autoSubscriptions: autoSubscriptionStore(table),
  events: storedEventStore(table, bucket),
  newestEvent: newestEventStore(table),
  bucket,
  builder: createBuilder(lambda, env.BUILDER_FUNCTION),
  runner,
  accounts,
  configurator: createConfigurator({
    runner,
    bucket,
    accounts: createAccountReader({ accounts, vault: createVault(kmsClient(), env.ACCOUNT_KEY_ARN), now }),
    now,
  }),
  sendTriggers: createTriggerSender({ sqs: sqsClient(), queueUrl: env.RUNS_QUEUE_URL, payloads: bucket }),
  quotas: createQuotas({ users, usages: usageStore(table), limits, now }),
  overloadedUntil: overloadStore(table),
  limits,
  ingressUrl: env.INGRESS_URL,
  random: randomBytes,
  now,
};
const shown = (source: Source) => showSource(source, env.INGRESS_URL);

export const handler = serve('sources', {
  listSources: operation(at.listSources, async ({ input, caller: { userId: ownerId } }) => {
    const { items, totalCount } = await services.sources.list(ownerId, input);
    const kept = fitting(
      items,
      ({ configuration }) => JSON.stringify(configuration).length,
      input.before !== undefined,
    );
    return page(kept, {
      totalCount,
      cursorOf: ({ id }) => encodeCursor({ list: 'sources', ownerId }, id),
      show: (source) => inList(shown(source)),
    });
  }),

  createSource: operation(at.createSource, async ({ input, caller: { userId }, deadline }) =>
    one(shown(await createSource(services, { input, userId, deadline }))),
  ),

  getSource: operation(at.getSource, async ({ parameters: { id }, caller: { userId } }) =>
    one(shown(await ownedSource(services, id, userId))),
  ),

  updateSource: operation(
    at.updateSource,
    async ({ parameters: { id }, input, caller: { userId }, deadline }) =>
      one(shown(await updateSource(services, { id, input, userId, deadline }))),
  ),

  deleteSource: operation(at.deleteSource, async ({ parameters: { id }, caller: { userId } }) => {
    await deleteSource(services, id, userId);
    return nothing;
  }),

  runSource: operation(at.runSource, async ({ parameters: { id }, caller: { userId }, text: event }) =>
    one({ id: await requestRun(services, { id, userId, event }) }),
  ),

  listSourceEventSummaries: operation(
    at.listSourceEventSummaries,
    async ({ parameters: { id }, input, caller: { userId } }) => {
      await ownedSource(services, id, userId);
      return summaryPage(services.events, { emitterId: id, stream: streamOf(input.event_name), ...input });
    },
  ),

  listSourceEvents: operation(
    at.listSourceEvents,
    async ({ parameters: { id }, input, caller: { userId } }) => {
      await ownedSource(services, id, userId);
      const { limit, event_name: eventName } = input;
      return legacyEvents(services.events, { emitterId: id, stream: streamOf(eventName), limit });
    },
  ),

  deleteSourceEvents: operation(
    at.deleteSourceEvents,
    async ({ parameters: { id }, input, caller: { userId } }) => {
      const { start_id: start, end_id: end, event_name: eventName } = input;
      await deleteSourceEvents(services, { id, userId, start, end, eventName });
      return nothing;
    },
  ),
} satisfies Record<keyof typeof at, Operation>);
