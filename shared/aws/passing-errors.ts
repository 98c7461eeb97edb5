import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';
import { cancellationReasons } from '../lib/cancellation-reasons.ts';

/** Reasons of a cancelled transaction: too many requests. */
const THROTTLES = new Set<string | undefined>(['ThrottlingError', 'ProvisionedThroughputExceeded']);
/**
 * EventBridge Scheduler names a rate of requests, and the number of all schedules, so. The SDK does not know it as a
 * throttle. https://docs.aws.amazon.com/scheduler/latest/UserGuide/scheduler-quotas.html
 */
const QUOTA_EXCEEDED = 'ServiceQuotaExceededException';
/** Another transaction writes the same items: the reason of a transaction, and the error of a single write. */
const CONFLICT = 'TransactionConflict';
const CONFLICT_ERROR = 'TransactionConflictException';

/** All that an error of the SDK has beyond an error is optional. */
const isError = (error: unknown): error is SdkError => error instanceof Error;

/** Whether a service of AWS asked for fewer calls, by the names that each service has for it. */
export const isThrottled = (error: unknown): boolean =>
  isError(error) &&
  (isThrottlingError(error) ||
    error.name === QUOTA_EXCEEDED ||
    cancellationReasons(error).some((reason) => THROTTLES.has(reason)));

/**
 * Whether a call of AWS may succeed later: the service asks for fewer calls, is busy with the same items, out of order
 * or does not answer.
 */
export const isPassing = (error: unknown): boolean =>
  isThrottled(error) ||
  cancellationReasons(error).includes(CONFLICT) ||
  (isError(error) && (error.name === CONFLICT_ERROR || isTransientError(error)));
