import { randomBytes } from 'node:crypto';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import type { Faults } from '../../../infra/embedded/faults.ts';
import type { Schedule } from '../../../shared/aws/schedules.ts';
import type { SourceTraits } from '../../../shared/domain/component/source-traits.ts';
import { ComponentId, newId, SourceId, UserId } from '../../../shared/domain/id.ts';
import { defaultUserLimits, MAX_EVENTS_PER_ITEM } from '../../../shared/domain/limits.ts';
import type {
  DeliveryMessage,
  DrainMessage,
  EmitTrigger,
  JobMessage,
  RunTrigger,
  Trigger,
} from '../../../shared/domain/run/message.ts';
import type { GroupResult, Received } from '../../../shared/domain/run/received-trigger.ts';
import type { Source } from '../../../shared/domain/source/source.ts';
import type { UnreadableItem } from '../../../shared/domain/unreadable.ts';
import type { User } from '../../../shared/domain/user/user.ts';
import { queuedRunServicesOf, runServicesOf } from '../../../shared/lambda/wiring/run-services.ts';
import { KeyedMutex } from '../../../shared/lib/keyed-mutex.ts';
import type { AccountReader } from '../../../shared/service/accounts/account-reader.ts';
import { createParties } from '../../../shared/service/admission/parties.ts';
import { createPayloadList } from '../../../shared/service/admission/payload-list.ts';
import { createQuotas } from '../../../shared/service/admission/quotas.ts';
import { createStorage } from '../../../shared/service/admission/storage.ts';
import { commitRuns } from '../../../shared/service/commit/commit.ts';
import type { CommitInput } from '../../../shared/service/commit/commit-context.ts';
import { createMetricCounts } from '../../../shared/service/metrics/metric-counts.ts';
import { sourceUsageOf } from '../../../shared/service/metrics/source-usage.ts';
import { createNotifier } from '../../../shared/service/notices/notifier.ts';
import { createJobRunner } from '../../../shared/service/runs/run-jobs.ts';
import { createRuns, type RunsOptions } from '../../../shared/service/runs/runs.ts';
import type { TableOptions } from '../../../shared/store/table/table-client.ts';
import { metricStore } from '../../../shared/store/users/metrics.ts';
import { storedBytes } from '../../../shared/store/users/stored-bytes.ts';
import { usageStore } from '../../../shared/store/users/usage.ts';
import { userEmitters } from '../../../shared/store/users/user-emitters.ts';
import { userStore } from '../../../shared/store/users/users.ts';
import { openEventTable } from '../event-table.ts';
import { withoutAccounts } from '../without-accounts.ts';
import { memoryBucket } from './memory-bucket.ts';
import { scriptedRunner } from './script.ts';

type RunServices = ReturnType<typeof runServicesOf> & ReturnType<typeof queuedRunServicesOf>;

/**
 * The embedded table, a clock that stands still, and everything else that run-source uses as something a test can look
 * into.
 */
export async function openWorld({
  faults,
  storedBytes: storageLimit = defaultUserLimits.storedBytes,
  accounts = withoutAccounts,
  eventsPerItem = MAX_EVENTS_PER_ITEM,
}: { faults?: Faults; storedBytes?: number; accounts?: AccountReader; eventsPerItem?: number } = {}) {
  const clock = new FakeClock();
  const units = { read: 0, write: 0 };
  const opened = await openEventTable({
    clock,
    faults,
    onConsumed: (_table, _operation, used) => {
      units.read += used.read;
      units.write += used.write;
    },
  });
  const unreadable: UnreadableItem[] = [];
  const table: TableOptions = {
    ...opened.table,
    onUnreadable: (item: UnreadableItem) => void unreadable.push(item),
  };
  const now = () => clock.now();
  const { bucket, objects } = memoryBucket();
  const schedules = new Map<string, Schedule>();
  const scheduling = {
    put: async (schedule: Schedule) => void schedules.set(schedule.name, schedule),
    create: async (schedule: Schedule) => void (schedules.has(schedule.name) || schedules.set(schedule.name, schedule)),
    delete: async (name: string) => void schedules.delete(name),
  };
  const { runner, requests, control } = scriptedRunner(now);
  const stored = storedBytes(table, createPayloadList(bucket));
  const users = userStore(table);
  const limits = defaultUserLimits;
  const deliveries: DeliveryMessage[] = [];
  const jobMessages: { message: JobMessage; delaySeconds: number }[] = [];
  const logged: string[] = [];
  const drains: DrainMessage[] = [];
  const aside: string[] = [];
  const returned: string[] = [];
  const noticeTriggers: EmitTrigger[] = [];
  const notify = createNotifier({
    sendNotice: async (trigger) => void noticeTriggers.push(trigger),
    onLost: (_, error) => {
      throw error;
    },
    now,
  });
  const random = (bytes: number) => randomBytes(bytes);
  const shared = { table, schedules: scheduling, runsQueueArn: 'arn:runs', now };
  const services: RunsOptions & RunServices & { mutex: KeyedMutex<SourceId> } = {
    ...runServicesOf({ ...shared, bucket, eventsPerItem }),
    ...queuedRunServicesOf({
      ...shared,
      sendJobs: async (messages) => void jobMessages.push(...messages),
      jobsQueueArn: 'arn:jobs',
      random,
    }),
    mutex: new KeyedMutex(),
    users,
    sendDrain: async (message) => void drains.push(message),
    maxSlices: 1,
    setAside: async (records) => void aside.push(...records.map(({ body }) => body)),
    onReturned: ({ trigger }) => void returned.push(trigger),
    metrics: createMetricCounts({
      metrics: metricStore(table),
      now,
      later: () => undefined,
      onLost: (error) => {
        throw error;
      },
    }),
    storage: createStorage({ storedBytes: stored, limit: storageLimit, now }),
    quotas: createQuotas({
      users,
      usages: usageStore(table),
      sourceUsage: sourceUsageOf(metricStore(table)),
      isOnlySource: createParties(userEmitters(table), now).isOnlySource,
      limits: { ...limits, freeInvocations: 1_000 },
      notify,
      now,
    }),
    runJobs: createJobRunner(
      {
        runner,
        bucket,
        ingressUrl: 'https://in.example',
        accounts,
        limits,
      },
      now,
    ),
    sendDeliveries: async (messages) => void deliveries.push(...messages),
    runTimeoutMs: limits.runTimeoutMs,
    log: (message) => logged.push(message),
    notify,
    writeLine: () => undefined,
  };

  const ownerId = UserId.parse(newId('user', now(), random));
  let sequence = 0n;

  return {
    clock,
    units,
    table,
    /** The items that a list could not read. */
    unreadable,
    services,
    control,
    requests,
    deliveries,
    bucket,
    objects,
    /** Bytes that are stored for the user. */
    stored: () => stored(ownerId, now()),
    schedules,
    jobMessages,
    noticeTriggers,
    /** Messages of the second groups of sources. */
    drains,
    /** Bodies of dead letters. */
    aside,
    /** Ids of triggers of a backlog that failed. */
    returned,
    logged,
    ownerId,
    sources: services.sources,
    users,

    async user(plan: User['plan'] = 'paid') {
      await users.create({
        id: ownerId,
        username: 'u',
        email: 'u@example.com',
        plan,
        keyHash: randomBytes(8).toString('hex'),
        createdAt: now(),
      });
    },

    /** A source as POST leaves it, or as it is after its first lifecycle. */
    async source(traits: Partial<SourceTraits> = {}, overrides: Partial<Source> = {}): Promise<Source> {
      const id = SourceId.parse(newId('source', now(), random));
      const source: Source = {
        id,
        ownerId,
        state: 'active',
        generation: 1,
        configuration: {
          componentId: ComponentId.parse(newId('component', now(), random)),
          bundleHash: 'b'.repeat(64),
          configuredProps: {},
          name: id,
          nameSlug: id,
          active: true,
          endpoint: 'path',
          tags: [],
        },
        traits: { hasRun: true, hooks: [], customResponse: false, ...traits },
        createdAt: now(),
        updatedAt: now(),
        ...overrides,
      };
      return services.sources.create(source, 1_000);
    },

    trigger(source: Pick<Source, 'id'>, payload: unknown = {}, more: Partial<RunTrigger> = {}): RunTrigger {
      return {
        kind: 'run',
        id: `t-${randomBytes(8).toString('hex')}`,
        emitterId: source.id,
        ownerId,
        at: now(),
        cause: 'http',
        payload: { json: JSON.stringify(payload) },
        hops: 0,
        ...more,
      };
    },

    /** The services of a synchronous run. */
    synchronous: (other: typeof services = services) => ({
      ...other,
      commit: (work: CommitInput) => commitRuns(other, work),
    }),

    /** As the queue hands triggers over: in order, each with a sequence number of its own. */
    received(triggers: readonly (Trigger | DrainMessage)[], { receiveCount = 1 } = {}): Received[] {
      return triggers.map((trigger) => ({
        trigger,
        sequence: String((sequence += 1n)).padStart(20, '0'),
        sentAt: now(),
        firstReceivedAt: now(),
        receiveCount,
      }));
    },

    execute(
      received: readonly Received[],
      { with: other = services, mayStart = () => true }: { with?: RunsOptions; mayStart?: () => boolean } = {},
    ): Promise<GroupResult> {
      const emitterId = received[0]?.trigger.emitterId;
      if (!emitterId) throw new Error('Nothing was received');
      return createRuns(other)({
        batch: 'batch',
        emitterId,
        queue: 'arn:runs',
        received,
        mayStart,
        startBefore: now() + 200_000,
      });
    },

    close: opened.close,
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
