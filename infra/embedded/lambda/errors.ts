import { AwsError } from '../call.ts';
import { unknownOperation } from '../common-errors.ts';

/** https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors */
export const functionNotFound = (arn: string) =>
  new AwsError('ResourceNotFoundException', `Function not found: ${arn}`, {
    statusCode: 404,
    members: { Type: 'User' },
  });

/** https://docs.aws.amazon.com/lambda/latest/api/API_GetEventSourceMapping.html#API_GetEventSourceMapping_Errors */
export const mappingNotFound = () =>
  new AwsError('ResourceNotFoundException', 'The resource you requested does not exist.', {
    statusCode: 404,
    members: { Type: 'User' },
  });

export const invalidPayload = (message: string) => new AwsError('InvalidRequestContentException', message);

export const payloadTooLarge = (message: string) =>
  new AwsError('RequestTooLargeException', message, { statusCode: 413 });

export const unknownLambdaOperation = unknownOperation('Lambda', 404);
