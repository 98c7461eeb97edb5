import { type Attempt, summaryOf } from '../../domain/delivery/delivery.ts';
import type { Progress } from '../../domain/delivery/delivery-progress.ts';
import type { RecoveryId } from '../../domain/id.ts';
import type { DeliveryListName } from '../table/keys.ts';
import type { StoredDelivery } from './delivery-item.ts';

export interface RecordedAttempt {
  attempt: Attempt;
  progress: Progress;
  staysOnList: boolean;
  recovery?: RecoveryId | undefined;
  /** The request to redeliver that is done. */
  request?: string | undefined;
}

export interface Change {
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues: Record<string, unknown>;
}

export function recordUpdate(
  { attemptCount, messageNumber, list }: StoredDelivery,
  { attempt, progress, staysOnList, recovery, request }: RecordedAttempt,
  expiresAt: number,
): Change {
  const { nextAt, notBefore, failingSince, status } = progress;
  const times = Object.entries({ nextAt, notBefore, failingSince });
  const kept = times.filter(([, at]) => at !== undefined);
  const isOnList = list === undefined ? 'attribute_not_exists(place)' : 'place = :place';
  return {
    UpdateExpression: [
      'SET made = :made, #status = :status, step = :step, turn = :next, lastAttempt = :last, expiresAt = :expiresAt',
      ...kept.map(([name]) => `, ${name} = :${name}`),
      ...(recovery === undefined ? [] : [', recovery = :recovery']),
      ' REMOVE claimedUntil, claimedBy',
      ...times.filter(([, at]) => at === undefined).map(([name]) => `, ${name}`),
      ...(staysOnList ? [] : [', place']),
      ...(request === undefined ? [] : [' DELETE requested :request']),
    ].join(''),
    ConditionExpression: `made = :before AND turn = :turn AND ${isOnList}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ...(list === undefined ? {} : { ':place': list }),
      ':before': attemptCount,
      ':made': attempt.attempt,
      ':turn': messageNumber,
      ':next': progress.messageNumber,
      ':status': status,
      ':step': progress.scheduleStep,
      ':last': summaryOf(attempt),
      ':expiresAt': expiresAt,
      ...Object.fromEntries(kept.map(([name, at]) => [`:${name}`, at])),
      ...(recovery === undefined ? {} : { ':recovery': recovery }),
      ...(request === undefined ? {} : { ':request': new Set([request]) }),
    },
  };
}

/** Moves a delivery to a list. A waiting one without `nextAt` is due. */
export function moveUpdate(
  { messageNumber, attemptCount, nextAt }: StoredDelivery,
  list: DeliveryListName,
  expiresAt: number,
): Change {
  const isHeld = list === 'held';
  return {
    UpdateExpression:
      'SET place = :place, expiresAt = :expiresAt' +
      (isHeld ? ', #status = :held REMOVE nextAt, claimedUntil' : nextAt === undefined ? ' REMOVE nextAt' : ''),
    ConditionExpression: 'turn = :turn AND made = :made AND #status IN (:pending, :retrying)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':place': list,
      ':turn': messageNumber,
      ':made': attemptCount,
      ':pending': 'pending',
      ':retrying': 'retrying',
      ':expiresAt': expiresAt,
      ...(isHeld ? { ':held': 'held' } : {}),
    },
  };
}

/** Puts a delivery into the order of its emitter. Messages of its attempts before are void. */
export function enqueueUpdate(
  { messageNumber, attemptCount, status, scheduleStep }: StoredDelivery,
  recovery: RecoveryId | undefined,
  expiresAt: number,
): Change {
  return {
    UpdateExpression:
      'SET place = :place, #status = :status, step = :step, turn = :next, expiresAt = :expiresAt' +
      (recovery === undefined ? '' : ', recovery = :recovery') +
      ' REMOVE nextAt, notBefore, failingSince',
    ConditionExpression: 'turn = :turn AND made = :made AND #status = :before',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':place': 'ordered',
      ':before': status,
      ':status': attemptCount > 0 ? 'retrying' : 'pending',
      ':step': status === 'retrying' ? scheduleStep : 0,
      ':turn': messageNumber,
      ':next': messageNumber + 1,
      ':made': attemptCount,
      ':expiresAt': expiresAt,
      ...(recovery === undefined ? {} : { ':recovery': recovery }),
    },
  };
}
