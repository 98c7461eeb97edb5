import { AwsError } from '../call.ts';

/** S3's error codes and sentences: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const error =
  (name: string, statusCode: number, message: string) =>
  (members: Record<string, unknown> = {}) =>
    new AwsError(name, message, { statusCode, members });

export const accessDenied = (message = 'Access Denied') => new AwsError('AccessDenied', message, { statusCode: 403 });
export const entityTooLarge = error(
  'EntityTooLarge',
  400,
  'Your proposed upload exceeds the maximum allowed object size.',
);
export const incompleteBody = error(
  'IncompleteBody',
  400,
  'You did not provide the number of bytes specified by the Content-Length HTTP header',
);
export const internalS3Error = error('InternalError', 500, 'We encountered an internal error. Please try again.');
export const invalidRequest = (message: string) => new AwsError('InvalidRequest', message);
export const invalidArgument = (message: string) => new AwsError('InvalidArgument', message);
export const keyTooLong = error('KeyTooLongError', 400, 'Your key is too long');
export const methodNotAllowed = error(
  'MethodNotAllowed',
  405,
  'The specified method is not allowed against this resource.',
);
export const missingContentLength = error(
  'MissingContentLength',
  411,
  'You must provide the Content-Length HTTP header.',
);
export const noSuchBucket = (bucket: string) =>
  new AwsError('NoSuchBucket', 'The specified bucket does not exist', {
    statusCode: 404,
    members: { BucketName: bucket },
  });
export const noSuchKey = (key: string) =>
  new AwsError('NoSuchKey', 'The specified key does not exist.', { statusCode: 404, members: { Key: key } });
export const notImplemented = (what: string) =>
  new AwsError('NotImplemented', `${what} implies functionality that is not implemented`, {
    statusCode: 501,
  });
/** A failure of the file system, such as `ENOSPC`, `EMFILE` or `EIO`, passes. Other errors stay as they are. */
export const asPassing = (cause: unknown): unknown =>
  cause instanceof Error && 'syscall' in cause && 'code' in cause
    ? Object.assign(
        new AwsError('ServiceUnavailable', `A file cannot be used (${String(cause.code)}).`, {
          statusCode: 503,
        }),
        { cause },
      )
    : cause;
export const noRoom = error('ServiceUnavailable', 503, 'There is no room for the upload. Try again later.');
export const unknownS3Operation = (operation: string) => notImplemented(`The operation ${operation}`);
