import { AwsError } from '../call.ts';
import { unknownOperation } from '../common-errors.ts';

/** https://docs.aws.amazon.com/scheduler/latest/APIReference/CommonErrors.html and the pages of the operations. */
export const conflict = (message: string) => new AwsError('ConflictException', message, { statusCode: 409 });
export const quotaExceeded = (message: string) =>
  new AwsError('ServiceQuotaExceededException', message, { statusCode: 402 });
export const scheduleNotFound = (name: string) =>
  new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, { statusCode: 404 });
export const groupNotFound = (name: string) =>
  new AwsError('ResourceNotFoundException', `Schedule group ${name} does not exist.`, { statusCode: 404 });
export const unknownSchedulerOperation = unknownOperation('Scheduler', 404);
