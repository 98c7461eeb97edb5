import { AwsError } from './call.ts';

/** The error of most services for input that breaks a constraint. */
export const validationException = (message: string) => new AwsError('ValidationException', message);

/** An operation that AWS may have and the embedded service lacks. */
export const unknownOperation =
  (service: string, statusCode = 400) =>
  (operation: string) =>
    new AwsError('UnknownOperationException', `${service} has no operation ${operation} here.`, {
      statusCode,
    });
