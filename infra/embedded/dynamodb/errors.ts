import { AwsError } from '../call.ts';
import { unknownOperation, validationException } from '../common-errors.ts';

export const invalidParameter = (message: string) =>
  validationException(`One or more parameter values were invalid: ${message}`);

export const tableNotFound = () => new AwsError('ResourceNotFoundException', 'Requested resource not found');

export const unknownDynamoDbOperation = unknownOperation('DynamoDB');
