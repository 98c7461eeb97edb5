import { AwsError } from '../call.ts';
import { unknownOperation } from '../common-errors.ts';

/** https://docs.aws.amazon.com/kms/latest/APIReference/CommonErrors.html and the pages of the operations. */
export const keyNotFound = (message: string) => new AwsError('NotFoundException', message);
export const invalidCiphertext = () => new AwsError('InvalidCiphertextException', '');
export const incorrectKey = () =>
  new AwsError(
    'IncorrectKeyException',
    'The key ID in the request does not identify a CMK that can perform this operation.',
  );
export const unknownKmsOperation = unknownOperation('KMS');
