import { createEventBodies } from '../../shared/aws/event-bodies.ts';
import { randomBytes } from 'node:crypto';
import { FakeClock } from '../../infra/embedded/clock.ts';
import type { Faults } from '../../infra/embedded/faults.ts';
import type { Schedule } from '../../shared/aws/schedules.ts';
import { commitRuns } from '../../shared/service/commit/commit.ts';
import type { CommitInput } from '../../shared/service/commit/commit-context.ts';
import type { GroupResult, Received } from '../../shared/domain/run/received-trigger.ts';
import type { AccountReader } from '../../shared/service/accounts/account-reader.ts';
import { createMetricCounts } from '../../shared/service/metrics/metric-counts.ts';
import { sourceUsageOf } from '../../shared/service/metrics/source-usage.ts';
import { createRuns, type RunsOptions } from '../../shared/service/runs/runs.ts';
import { createDelayedEmits } from '../../shared/service/commit/delayed-emits.ts';
import { createJobRunner } from '../../shared/service/runs/run-jobs.ts';
import { createNotifier } from '../../shared/service/notices/notifier.ts';
import { createParties } from '../../shared/service/admission/parties.ts';
import { createQuotas } from '../../shared/service/admission/quotas.ts';
import { createPayloadList } from '../../shared/service/admission/payload-list.ts';
import { createStorage } from '../../shared/service/admission/storage.ts';
import { KeyedMutex } from '../../shared/lib/keyed-mutex.ts';
import { createSourceTimers } from '../../shared/service/timers/source-timers.ts';
import { ServiceError } from '../../shared/domain/errors.ts';
import { ComponentId, newId, SourceId, UserId } from '../../shared/domain/id.ts';
import { defaultUserLimits, MAX_EVENTS_PER_ITEM } from '../../shared/domain/limits.ts';
import type {
  DeliveryMessage,
  DrainMessage,
  EmitTrigger,
  RunTrigger,
  JobMessage,
  Trigger,
} from '../../shared/domain/run/message.ts';
import type { Job, RunnerLine, RunnerRequest } from '../../shared/domain/run/run.ts';
import type { Source } from '../../shared/domain/source/source.ts';
import type { SourceTraits } from '../../shared/domain/component/source-traits.ts';
import type { User } from '../../shared/domain/user/user.ts';
import { autoSubscriptionStore } from '../../shared/store/subscriptions/auto-subscriptions.ts';
import { delayedEmitStore } from '../../shared/store/events/delayed-emit-items.ts';
import { type EventStore, eventStore } from '../../shared/store/events/events.ts';
import { type SourceStore, sourceStore } from '../../shared/store/emitters/sources.ts';
import { type EmitterStore, emitterStore } from '../../shared/store/emitters/emitters.ts';
import { type BacklogStore, backlogStore } from '../../shared/store/emitters/backlog.ts';
import { metricStore } from '../../shared/store/users/metrics.ts';
import { subscriptionStore } from '../../shared/store/subscriptions/subscriptions.ts';
import { type RunRecordStore, runRecordStore } from '../../shared/store/emitters/run-records.ts';
import { storedBytes } from '../../shared/store/users/stored-bytes.ts';
import { type UsageStore, usageStore } from '../../shared/store/users/usage.ts';
import { userEmitters } from '../../shared/store/users/user-emitters.ts';
import { slicePermitStore } from '../../shared/store/emitters/run-permits.ts';
import { userStore } from '../../shared/store/users/users.ts';
import { type WaitingTriggerStore, waitingTriggers } from '../../shared/store/emitters/waiting-triggers.ts';
import { workflowStore } from '../../shared/store/emitters/workflows.ts';
import type { UnreadableItem } from '../../shared/domain/unreadable.ts';
import type { TableOptions } from '../../shared/store/table/table-client.ts';
import { openEventTable } from './event-table.ts';
import { withoutAccounts } from './without-accounts.ts';

export type Line = RunnerLine;

/** The script of a component for one job: the lines that the runner would write for it. */
type Script = (job: Job, request: RunnerRequest) => Scripted | Promise<Scripted>;

type Scripted = Omit<Line, 'job'>[] | 'unstarted' | 'lost' | 'silent' | 'unready';

export const emits = (json: string, meta: Extract<Line, { k: 'emit' }>['meta'] = {}) =>
  ({ k: 'emit', json, meta }) as Omit<Line, 'job'>;
export const ended = (ms = 5) => ({ k: 'end', ms }) as Omit<Line, 'job'>;
export const threw = (code: string, message = code) =>
  ({ k: 'end', ms: 5, error: { code, name: 'Error', message, stack: `Error: ${message}` } }) as Omit<
    Line,
    'job'
  >;

/** The embedded table, a clock that stands still, and everything else that run-source uses as something a test can look into. */
export async function harness({
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
  const objects = new Map<string, string>();
  const bucket = {
    putText: async (key: string, text: string | Buffer) => void objects.set(key, String(text)),
    getText: async (key: string) => objects.get(key),
    delete: async (key: string) => void objects.delete(key),
    copyIfPresent: async (from: string, to: string) => {
      const text = objects.get(from);
      if (text !== undefined) objects.set(to, text);
      return text !== undefined;
    },
    list: async (prefix: string) =>
      [...objects].flatMap(([key, text]) =>
        key.startsWith(prefix) ? [{ key, bytes: Buffer.byteLength(text) }] : [],
      ),
    presignGet: async (key: string) => `https://bucket/${key}`,
  };
  const schedules = new Map<string, Schedule>();
  const scheduling = {
    put: async (schedule: Schedule) => void schedules.set(schedule.name, schedule),
    create: async (schedule: Schedule) =>
      void (schedules.has(schedule.name) || schedules.set(schedule.name, schedule)),
    delete: async (name: string) => void schedules.delete(name),
  };
  const requests: RunnerRequest[] = [];
  const control: { script: Script; isBusy: boolean } = { script: () => [ended()], isBusy: false };
  const runner = {
    async run(request: RunnerRequest, onLine: (line: Line) => void) {
      if (control.isBusy) throw new ServiceError('unavailable', 'unavailable', 'busy');
      requests.push(request);
      for (const job of request.jobs) {
        if (now() > (request.startBefore ?? Infinity)) return 'complete' as const;
        const lines = await control.script(job, request);
        if (lines === 'unstarted') return 'complete' as const;
        if (lines === 'unready') onLine({ k: 'unready', job: job.id, message: 'no process could be had' });
        if (lines === 'lost') onLine({ k: 'emit', job: job.id, json: '"before it was lost"', meta: {} });
        if (typeof lines === 'string') return 'lost' as const;
        for (const line of lines) onLine({ ...line, job: job.id } as Line);
      }
      return 'complete' as const;
    },
    describe: () => Promise.reject(new Error('not here')),
  };
  const stored = storedBytes(table, createPayloadList(bucket));
  const events = eventStore(table, createEventBodies(bucket), { eventsPerItem });
  const usages = usageStore(table);
  const users = userStore(table);
  const sources = sourceStore(table);
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
  const services: RunsOptions & {
    events: EventStore;
    runRecords: RunRecordStore;
    emitters: EmitterStore;
    sources: SourceStore;
    usages: UsageStore;
    backlogs: BacklogStore;
    waitingTriggers: WaitingTriggerStore;
    mutex: KeyedMutex<SourceId>;
  } = {
    mutex: new KeyedMutex(),
    emitters: emitterStore(table),
    events,
    runRecords: runRecordStore(table),
    backlogs: backlogStore(table),
    waitingTriggers: waitingTriggers(table),
    sendDrain: async (message) => void drains.push(message),
    slicePermits: slicePermitStore(table, (bytes) => randomBytes(bytes)),
    maxSlices: 1,
    setAside: async (records) => void aside.push(...records.map(({ body }) => body)),
    onReturned: ({ trigger }) => void returned.push(trigger),
    usages,
    metrics: createMetricCounts({
      metrics: metricStore(table),
      now,
      later: () => undefined,
      onLost: (error) => {
        throw error;
      },
    }),
    sources,
    workflows: workflowStore(table),
    subscriptions: subscriptionStore(table),
    autoSubscriptions: autoSubscriptionStore(table),
    bucket,
    delayedEmits: createDelayedEmits({
      waiting: delayedEmitStore(table, createEventBodies(bucket)),
      schedules: scheduling,
      bucket,
      runsQueueArn: 'arn:runs',
      now,
    }),
    storage: createStorage({ storedBytes: stored, limit: storageLimit, now }),
    quotas: createQuotas({
      users,
      usages,
      sourceUsage: sourceUsageOf(metricStore(table)),
      isOnlySource: createParties(userEmitters(table), now).isOnlySource,
      limits: { ...limits, freeInvocations: 1_000 },
      notify,
      now,
    }),
    timers: createSourceTimers({
      schedules: scheduling,
      sendJobs: async (messages) => void jobMessages.push(...messages),
      runsQueueArn: 'arn:runs',
      jobsQueueArn: 'arn:timers',
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
    users,
    notify,
    writeLine: () => undefined,
    now,
  };

  const random = (bytes: number) => randomBytes(bytes);
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
    sources,
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
        },
        traits: { hasRun: true, hooks: [], customResponse: false, ...traits },
        createdAt: now(),
        updatedAt: now(),
        ...overrides,
      };
      return sources.create(source, 1_000);
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
      {
        with: other = services,
        mayStart = () => true,
      }: { with?: RunsOptions; mayStart?: () => boolean } = {},
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

export type Harness = Awaited<ReturnType<typeof harness>>;
