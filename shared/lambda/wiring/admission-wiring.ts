import { createQueueDepth } from '../../aws/queue-depth.ts';
import type { Bucket } from '../../aws/bucket.ts';
import { createPayloadList } from '../../service/admission/payload-list.ts';
import { createNoticeSender } from '../../aws/queues.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import { createAdmission } from '../../service/admission/admission.ts';
import { createLookUpRates } from '../../service/admission/look-up-rates.ts';
import { createParties, type Parties } from '../../service/admission/parties.ts';
import { createQuotas, type Quotas } from '../../service/admission/quotas.ts';
import { type Storage, createStorage } from '../../service/admission/storage.ts';
import { sourceUsageOf } from '../../service/metrics/source-usage.ts';
import { createNotifier } from '../../service/notices/notifier.ts';
import { metricStore } from '../../store/users/metrics.ts';
import { lookUpCountStore } from '../../store/users/request-counts.ts';
import { storedBytes } from '../../store/users/stored-bytes.ts';
import { usageStore } from '../../store/users/usage.ts';
import { userEmitters } from '../../store/users/user-emitters.ts';
import { userLookup } from '../../store/users/users.ts';
import { environment } from '../environment.ts';
import { type Log, describeError } from '../log.ts';
import { limits, log, now, sqs, table } from './common-wiring.ts';

/** Sends notices; the log tells of those that are lost. */
export const notifier = ({ warn }: Log): Notify =>
  createNotifier({
    sendNotice: createNoticeSender({ sqs, queueUrl: environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL }),
    onLost: ({ name, ownerId, subject }, error) =>
      warn('notice.lost', { notice: name, owner: ownerId, subject: subject.id, error: describeError(error) }),
    now,
  });

let openedParties: Parties | undefined;
/** One count of each user's emitters per process. */
export const parties = (): Parties => (openedParties ??= createParties(userEmitters(table()), now));

export const quotas = (notify: Notify) =>
  createQuotas({
    users: userLookup(table()),
    usages: usageStore(table()),
    sourceUsage: sourceUsageOf(metricStore(table())),
    isOnlySource: parties().isOnlySource,
    limits: limits(),
    notify,
    now,
  });

let openedStorage: Storage | undefined;
/** One count of each user per process. */
export const storage = (objects: Pick<Bucket, 'list'>): Storage =>
  (openedStorage ??= createStorage({
    storedBytes: storedBytes(table(), createPayloadList(objects)),
    limit: limits().storedBytes,
    now,
  }));

export const admission = (
  logger: Log,
  notify: Notify,
  { objects, owned = quotas(notify) }: { objects: Pick<Bucket, 'list'>; owned?: Quotas },
) => createAdmission({ quotas: owned, storage: storage(objects), queueDepth: queueDepth(logger), now });

export const queueDepth = ({ warn }: Log) =>
  createQueueDepth({
    sqs,
    queueUrl: environment('RUNS_QUEUE_URL').RUNS_QUEUE_URL,
    onFailed: (error) => warn('queue.uncounted', { error: describeError(error) }),
    now,
  });

export const lookUps = (service: Parameters<typeof log>[0]) =>
  createLookUpRates({
    counts: lookUpCountStore(table()),
    onLost: (error) => log(service).warn('requests.uncounted', { error: describeError(error) }),
    now,
  });
