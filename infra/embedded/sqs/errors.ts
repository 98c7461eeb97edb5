import { AwsError } from '../call.ts';

/** SQS's errors in its own words, as far as its documentation and its answers give them. */
export const missing = (parameter: string) =>
  new AwsError('MissingParameter', `The request must contain the parameter ${parameter}.`);

export const invalid = (parameter: string, value: unknown, reason: string) =>
  new AwsError(
    'InvalidParameterValue',
    `Value ${String(value)} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );

export const invalidParameters = (reason: string) =>
  new AwsError('InvalidParameterValue', `One or more parameters are invalid. Reason: ${reason}`);

export const queueDoesNotExist = () =>
  new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');

export const receiptHandleIsInvalid = (handle: string) =>
  new AwsError(
    'ReceiptHandleIsInvalid',
    `The input receipt handle "${handle}" is not a valid receipt handle.`,
  );

/** Query-era codes that clients still read from `x-amzn-query-error`, where they differ from the error's name. */
const queryCodes: Readonly<Record<string, string>> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  PurgeQueueInProgress: 'AWS.SimpleQueueService.PurgeQueueInProgress',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  UnsupportedOperation: 'AWS.SimpleQueueService.UnsupportedOperation',
};

export const queryError = ({ name, fault }: AwsError): string =>
  `${queryCodes[name] ?? name};${fault === 'client' ? 'Sender' : 'Receiver'}`;
