import { AwsError } from '../call.ts';

/** https://docs.aws.amazon.com/scheduler/latest/APIReference/CommonErrors.html and the pages of the operations. */
export const conflict = (message: string) => new AwsError('ConflictException', message, { statusCode: 409 });
export const quotaExceeded = (message: string) =>
  new AwsError('ServiceQuotaExceededException', message, { statusCode: 402 });
export const unknownOperation = (operation: string) =>
  new AwsError('UnknownOperationException', `The operation ${operation} is not known here.`, {
    statusCode: 404,
  });
export const validation = (message: string) => new AwsError('ValidationException', message);
export const noSuchSchedule = (name: string) =>
  new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, { statusCode: 404 });
export const noSuchGroup = (name: string) =>
  new AwsError('ResourceNotFoundException', `Schedule group ${name} does not exist.`, { statusCode: 404 });
