import { RemovalPolicy } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AccountKey } from './constructs/account-key.ts';
import { Egress } from './constructs/egress.ts';
import { Heartbeat } from './constructs/heartbeat.ts';
import { EventTable } from './constructs/event-table.ts';
import { Ingress, PublicApi } from './constructs/http-apis.ts';
import { ObjectStore } from './constructs/object-store.ts';
import { Schedules } from './constructs/source-schedules.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import type { Stage } from './stage.ts';

export type Resources = ReturnType<typeof createResources>;

/** Everything that functions read and write. */
export function createResources(
  scope: Construct,
  { stackName, retention, adopt, domain, throttle, network, accessLogs, kmsKeyArn }: Stage,
) {
  const removalPolicy = removalPolicyOf(retention.data);
  const table = new EventTable(scope, 'Events', { removalPolicy, adopt: adopt?.table });
  const objects = new ObjectStore(scope, 'Objects', { removalPolicy, adopt: adopt?.bucket, kmsKeyArn });
  const accountKey = new AccountKey(scope, 'Accounts', { removalPolicy, adopt: adopt?.keyArn });
  const runs = new WorkQueue(scope, 'Runs', { name: 'runs', fifo: true });
  const deliveries = new WorkQueue(scope, 'Deliveries', { name: 'deliveries' });
  const retries = new WorkQueue(scope, 'Retries', { name: 'retries' });
  // Deployed stacks have the name of the first release, in logical ids, alarms and the operator's settings.
  const jobs = new WorkQueue(scope, 'Timers', { name: 'timers' });
  const heartbeat = new Heartbeat(scope, 'Heartbeat');
  const schedules = new Schedules(scope, 'Schedules', { targets: [runs.queue, retries.queue, jobs.queue] });
  const ingress = new Ingress(scope, 'Ingress', {
    stackName,
    throttle,
    retention,
    accessLogs,
    domain: domain && { ...domain, name: domain.ingress },
  });
  const publicApi = new PublicApi(scope, 'PublicApi', {
    stackName,
    throttle,
    retention,
    accessLogs,
    domain: domain && { ...domain, name: domain.api },
  });
  const ownQueues = [
    ...[runs, deliveries, retries, jobs].flatMap(({ queue, deadLetters }) => [queue, deadLetters]),
    ...[heartbeat.queue, schedules.deadLetters],
  ].map(({ queueArn }) => queueArn);
  const egress = network && new Egress(scope, 'Egress', network);
  return {
    table,
    objects,
    accountKey,
    runs,
    deliveries,
    retries,
    jobs,
    heartbeat,
    schedules,
    ownQueues,
    ingress,
    publicApi,
    egress,
  };
}

/**
 * Kept data stays when the stack is deleted. The first deployment keeps nothing if it fails, so that it can be
 * repeated.
 */
const removalPolicyOf = (data: Stage['retention']['data']): RemovalPolicy =>
  data === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
