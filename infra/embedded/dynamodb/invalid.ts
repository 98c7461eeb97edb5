import { AwsError } from '../call.ts';

/** What DynamoDB answers for most of a caller's mistakes. */
export function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

export function invalidParameter(message: string): AwsError {
  return invalid(`One or more parameter values were invalid: ${message}`);
}
