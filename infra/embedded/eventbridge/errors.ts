import { AwsError } from '../call.ts';
import { unknownOperation } from '../common-errors.ts';

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/CommonErrors.html and the pages of the operations. */
export const busNotFound = (name: string) =>
  new AwsError('ResourceNotFoundException', `Event bus ${name} does not exist.`);
export const unknownEventBridgeOperation = unknownOperation('EventBridge');
