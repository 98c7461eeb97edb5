import { type Attempt, summaryOf } from '../../domain/delivery/delivery.ts';
import type { Progress } from '../../domain/delivery/delivery-progress.ts';
import type { RecoveryId } from '../../domain/id.ts';
import type { DeliveryListName } from '../table/keys.ts';
import type { StoredDelivery } from './delivery-item.ts';

export interface RecordedAttempt {
  attempt: Attempt;
  progress: Progress;
  /** Whether the delivery stays on its list. */
  staysOnList: boolean;
  recovery?: RecoveryId | undefined;
  /** The request to redeliver that is done. */
  request?: string | undefined;
}

/** A conditional update of a delivery's item. */
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
  const { nextAt, notBefore, status } = progress;
  const isOnList = list === undefined ? 'attribute_not_exists(place)' : 'place = :place';
  return {
    UpdateExpression: [
      'SET made = :made, #status = :status, step = :step, turn = :next, lastAttempt = :last, expiresAt = :expiresAt',
      ...(nextAt === undefined ? [] : [', nextAt = :nextAt']),
      ...(notBefore === undefined ? [] : [', notBefore = :notBefore']),
      ...(recovery === undefined ? [] : [', recovery = :recovery']),
      ' REMOVE claimedUntil, claimedBy',
      ...(nextAt === undefined ? [', nextAt'] : []),
      ...(notBefore === undefined ? [', notBefore'] : []),
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
      ...(nextAt === undefined ? {} : { ':nextAt': nextAt }),
      ...(notBefore === undefined ? {} : { ':notBefore': notBefore }),
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
