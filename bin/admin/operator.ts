import { randomBytes } from 'node:crypto';
import type { BackUp } from '../../infra/embedded/backup/backup.ts';
import { createBucket } from '../../shared/aws/bucket.ts';
import { dynamoClient, kmsClient, lambdaClient, s3Client, sqsClient } from '../../shared/aws/clients.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { createFeedSwitch } from '../../shared/aws/feed-switch.ts';
import { createBuilder } from '../../shared/aws/builder.ts';
import { createDeadLetters } from '../../shared/aws/letters/dead-letters.ts';
import { createScheduleDeadLetters } from '../../shared/aws/letters/schedule-dead-letters.ts';
import { createOAuthFunction } from '../../shared/aws/oauth/oauth-function.ts';
import { createDrainSender, createRetrySender, createTriggerSender } from '../../shared/aws/queues.ts';
import { createRunner } from '../../shared/aws/runner.ts';
import { createVault } from '../../shared/aws/vault.ts';
import type { Random } from '../../shared/domain/id.ts';
import { serviceMarkStore } from '../../shared/store/table/service-marks.ts';
import { accountStore } from '../../shared/store/accounts/accounts.ts';
import { autoSubscriptionStore } from '../../shared/store/subscriptions/auto-subscriptions.ts';
import { backlogStore } from '../../shared/store/emitters/backlog.ts';
import { componentStore } from '../../shared/store/emitters/components.ts';
import { auditLog } from '../../shared/store/users/audit-log.ts';
import { dailyUsage } from '../../shared/store/users/daily-usage.ts';
import { deliveryStore } from '../../shared/store/deliveries/deliveries.ts';
import { waitingAndHeldDeliveries } from '../../shared/store/deliveries/delivery-lists.ts';
import { oauthClientStore, oauthLoginStore } from '../../shared/store/accounts/oauth-clients.ts';
import { removalStore } from '../../shared/store/users/removals.ts';
import { sourceStore } from '../../shared/store/emitters/sources.ts';
import { subscriptionStore } from '../../shared/store/subscriptions/subscriptions.ts';
import { signInSettingsStore } from '../../shared/store/users/sign-in-settings-store.ts';
import { userStore } from '../../shared/store/users/users.ts';
import { webhookStore } from '../../shared/store/subscriptions/webhooks.ts';
import { waitingTriggers } from '../../shared/store/emitters/waiting-triggers.ts';
import { workflowStore } from '../../shared/store/emitters/workflows.ts';
import type { OperatorAction } from './audit/audit-line.ts';
import type { Names } from './names.ts';
import { createMoveLetters } from './move-letters.ts';
import { reconcileServices } from './reconcile-services.ts';
import { scheduleTargets } from './scheduled-message.ts';
import { createUnreadableItems } from './unreadable-items.ts';

export type Operator = ReturnType<typeof operatorOf>;

/** Calls `use` with the operator of a stack on AWS, or of the service of this machine's data directory. */
export type Operate = <T>(
  stack: string | undefined,
  use: (operator: Operator) => Promise<T>,
  /** For the audit log. Absent where another program reads. */
  action?: OperatorAction,
) => Promise<T>;

/** Only of a service on this machine. */
interface Machine {
  backUp: BackUp;
  /** Version of the service that runs; undefined when none runs. */
  runningVersion?: string | undefined;
}

/**
 * The services of the commands; the same on both clouds, because the clients read their configuration from the
 * environment.
 */
export function operatorOf(names: Names, machine?: Machine) {
  const unreadable = createUnreadableItems();
  const table = { dynamo: dynamoClient(), tableName: names.tableName, onUnreadable: unreadable.add };
  const s3 = s3Client();
  const bucket = createBucket(() => s3, names.bucketName);
  const random: Random = (bytes) => randomBytes(bytes);
  const client = sqsClient();
  const sqs = () => client;
  const lambda = lambdaClient();
  const kms = kmsClient();
  const { runs, deliveries, retries, timers } = names.queues;
  const now = () => Date.now();
  /** The services that a reconciliation shares with other commands. */
  const shared = {
    now,
    sendTriggers: createTriggerSender({ sqs, queueUrl: names.runsQueueUrl, payloads: bucket }),
    sendDrain: createDrainSender({ sqs, queueUrl: names.runsQueueUrl }),
    sendRetry: createRetrySender({ sqs, queueUrl: retries.url }),
    users: userStore(table),
    sources: sourceStore(table),
    webhooks: webhookStore(table),
    workflows: workflowStore(table),
    backlogs: backlogStore(table),
    deliveries: deliveryStore(table, now),
    waitingAndHeldDeliveries: waitingAndHeldDeliveries(table),
  };
  return {
    ...shared,
    names,
    machine,
    unreadable,
    random,
    lambda,
    vault: createVault(() => kms, names.accountKeyArn, now),
    builder: createBuilder(() => lambda, names.builderFunction),
    runner: createRunner(() => lambda, {
      functionName: names.runnerFunction,
      tenantOf: ({ ownerId }) => ownerId,
    }),
    bucket,
    auditLog: auditLog(table),
    accounts: accountStore(table),
    clients: oauthClientStore(table),
    logins: oauthLoginStore(table),
    signInSettings: signInSettingsStore(table),
    oauthFunction: createOAuthFunction(() => lambda, names.renewerFunction),
    removals: removalStore(table),
    components: componentStore(table),
    subscriptions: subscriptionStore(table),
    autoSubscriptions: autoSubscriptionStore(table),
    dailyUsage: dailyUsage(table),
    marks: serviceMarkStore(table),
    waitingTriggers: waitingTriggers(table),
    setFeed: createFeedSwitch({ lambda, pause: (ms) => pause(ms), now }),
    /** Only a reconciliation needs them: they have clients of their own. */
    reconciling: () =>
      reconcileServices({ ...shared, waitingAndHeld: shared.waitingAndHeldDeliveries }, { table, names, bucket, sqs }),
    moveLetters: createMoveLetters(sqs, names),
    messagesAt: (url: string) => createDeadLetters(sqs, { url, deadLettersUrl: url }),
    deadLetters: {
      runs: createDeadLetters(sqs, runs),
      deliveries: createDeadLetters(sqs, deliveries),
      retries: createDeadLetters(sqs, retries),
      timers: createDeadLetters(sqs, timers),
      schedules: createScheduleDeadLetters(sqs, {
        deadLettersUrl: names.schedulesDeadLettersUrl,
        targetOf: scheduleTargets(names.queues),
      }),
    },
  };
}
