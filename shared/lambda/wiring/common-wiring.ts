import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bucket, createBucket } from '../../aws/bucket.ts';
import { dynamoClient, kmsClient, lambdaClient, s3Client, schedulerClient, sqsClient } from '../../aws/clients.ts';
import { createAgent, createAttempter } from '../../aws/deliver-http.ts';
import type { Attempter } from '../../aws/http-attempt.ts';
import { createReceipts } from '../../aws/queue-receipts.ts';
import { createRenewer } from '../../aws/oauth/renewer.ts';
import { createOAuthFunction } from '../../aws/oauth/oauth-function.ts';
import { createRunner } from '../../aws/runner.ts';
import { createSchedules } from '../../aws/schedules.ts';
import { createSetAside } from '../../aws/letters/set-aside.ts';
import { createCallTarget } from '../../aws/targets/call-target.ts';
import { createDeliverToTarget } from '../../aws/targets/deliver-to-target.ts';
import { createVault } from '../../aws/vault.ts';
import type { Limits } from '../../domain/limits.ts';
import type { OnUnreadable } from '../../domain/unreadable.ts';
import { createAccountReader } from '../../service/accounts/account-reader.ts';
import { tenantOf } from '../../service/accounts/tenant.ts';
import { readBudgetOf } from '../../service/admission/body-reads.ts';
import { accountStore } from '../../store/accounts/accounts.ts';
import type { TableOptions } from '../../store/table/table-client.ts';
import { atFirstUse, loadedAtFirstUse } from '../at-first-use.ts';
import { environment, networkRule, targetRule } from '../environment.ts';
import { createLog } from '../log.ts';

/*
 * The services of each kind of Lambda function are built in this folder, from environment variables, and nowhere else.
 * Nothing here has an effect at module load, so that esbuild drops what a bundle does not call.
 */

/* One client for each process. Making one takes 1 to 4 ms of a cold start, and few requests use all of them. */
const s3 = /* @__PURE__ */ atFirstUse(s3Client);
export const lambda = /* @__PURE__ */ atFirstUse(lambdaClient);
const scheduler = /* @__PURE__ */ atFirstUse(schedulerClient);
const kms = /* @__PURE__ */ atFirstUse(kmsClient);
export const sqs = /* @__PURE__ */ atFirstUse(sqsClient);

export const now = (): number => Date.now();
export const random = (bytes: number): Buffer => randomBytes(bytes);
export const limits = (): Limits => environment('LIMITS').LIMITS;
export const bucket = (): Bucket => createBucket(s3, environment('BUCKET_NAME').BUCKET_NAME);

/** Loads the client of S3, a fifth of a bundle, with the first object: most starts need none. */
export function bucketLater(): Bucket {
  const { BUCKET_NAME } = environment('BUCKET_NAME');
  const opened = loadedAtFirstUse(async () => {
    const { openBucket } = await import('../../aws/open-bucket.ts');
    return openBucket(BUCKET_NAME);
  });
  return {
    putText: async (key, text) => (await opened()).putText(key, text),
    getText: async (key) => (await opened()).getText(key),
    getBytes: async (key) => (await opened()).getBytes(key),
    copy: async (from, to) => (await opened()).copy(from, to),
    copyIfPresent: async (from, to) => (await opened()).copyIfPresent(from, to),
    delete: async (key) => (await opened()).delete(key),
    list: async (prefix) => (await opened()).list(prefix),
    presignGet: async (key, seconds) => (await opened()).presignGet(key, seconds),
    presignPut: async (key, seconds) => (await opened()).presignPut(key, seconds),
  };
}

export function runner() {
  const env = environment('RUNNER_FUNCTION', 'RUNNER_ISOLATION');
  return createRunner(lambda, {
    functionName: env.RUNNER_FUNCTION,
    tenantOf: tenantOf(env.RUNNER_ISOLATION),
  });
}

export const log = (functionName: string) => createLog(environment('LOG_LEVEL').LOG_LEVEL, functionName);

let openedTable: TableOptions | undefined;
export const table = (): TableOptions => (openedTable ??= openTable());

function openTable(): TableOptions {
  const { TABLE_NAME: tableName, LEASE_EPOCH: epoch } = environment('TABLE_NAME', 'LEASE_EPOCH');
  return { dynamo: dynamoClient(), tableName, epoch, onUnreadable };
}

/** A stored item that this release cannot read. It stays as it is. */
export const onUnreadable: OnUnreadable = ({ id, reason }) =>
  log('table').error('item.unreadable', { item: id, reason });

/** The ways of messages of the queue that the function consumes. */
export function consumedQueue() {
  const env = environment('QUEUE_URL', 'DEAD_LETTERS_URL');
  return {
    setAside: createSetAside({ sqs, queueUrl: env.DEAD_LETTERS_URL }),
    receipts: createReceipts(sqs, env.QUEUE_URL),
  };
}

export function schedules() {
  const env = environment('SCHEDULE_GROUP', 'SCHEDULER_ROLE_ARN', 'SCHEDULES_DEAD_LETTERS_ARN');
  return createSchedules({
    scheduler,
    groupName: env.SCHEDULE_GROUP,
    roleArn: env.SCHEDULER_ROLE_ARN,
    deadLettersArn: env.SCHEDULES_DEAD_LETTERS_ARN,
  });
}

const toTargets = () => createDeliverToTarget({ callTarget: createCallTarget({ now }), rule: targetRule(), now });

export const attempter = () => createAttempter(createAgent(networkRule()), now, toTargets());

/** Loads the HTTP client at the first attempt: it is a fifth of a bundle, and few requests to the API need it. */
export function attempterLater(): Attempter {
  const rule = networkRule();
  const deliverToTarget = toTargets();
  const attempter = loadedAtFirstUse(async () => {
    const { createAgent, createAttempter } = await import('../../aws/deliver-http.ts');
    return createAttempter(createAgent(rule), now, deliverToTarget);
  });
  return (attempt) =>
    void attempter().then(
      (begin) => begin(attempt),
      (error: unknown) => attempt.fail(error),
    );
}

/* One for each process: it caches data keys. */
export const vault = /* @__PURE__ */ atFirstUse(() =>
  createVault(kms, environment('ACCOUNT_KEY_ARN').ACCOUNT_KEY_ARN, now),
);

/** The host may share it among the functions of a thread. */
export const readBudget = () => readBudgetOf(process);

export const oauthFunction = () => createOAuthFunction(lambda, environment('OAUTH_FUNCTION').OAUTH_FUNCTION);

export const accountReader = () =>
  createAccountReader({
    accounts: accountStore(table()),
    vault: vault(),
    renewer: createRenewer(lambda, environment('OAUTH_FUNCTION').OAUTH_FUNCTION),
    // The wait for a renewal that another call ends must not keep a process running.
    pause: (ms) => pause(ms, undefined, { ref: false }),
    now,
  });
