import { AwsError } from '../call.ts';

/** SQS's errors with the sentences of its documentation and its responses. */
export const missingParameter = (parameter: string) =>
  new AwsError('MissingParameter', `The request must contain the parameter ${parameter}.`);

export const invalidValue = (parameter: string, value: unknown, reason: string) =>
  new AwsError(
    'InvalidParameterValue',
    `Value ${String(value)} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );

export const invalidParameters = (reason: string) =>
  new AwsError('InvalidParameterValue', `One or more parameters are invalid. Reason: ${reason}`);

export const queueDoesNotExist = () => new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');

export const resourceDoesNotExist = (member: string) =>
  new AwsError(
    'ResourceNotFoundException',
    `The resource that you specified for the ${member} parameter doesn't exist.`,
  );

export const receiptHandleIsInvalid = (handle: string) =>
  new AwsError('ReceiptHandleIsInvalid', `The input receipt handle "${handle}" is not a valid receipt handle.`);

export const receiptHandleExpired = (handle: string) =>
  invalidValue('ReceiptHandle', handle, 'The receipt handle has expired.');

export const unknownAttribute = (name: string) => new AwsError('InvalidAttributeName', `Unknown Attribute ${name}.`);

export const unknownSqsOperation = (operation: string) =>
  new AwsError('UnsupportedOperation', `SQS has no operation ${operation} here.`);
