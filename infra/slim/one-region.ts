import { SignatureV4 } from '@smithy/signature-v4';
import { leftOut } from './left-out.ts';

/** Stands in for the signer of requests to all regions at once, and with the credentials of S3 Express: ours go to one, as functions. */
export class SignatureV4MultiRegion extends SignatureV4 {
  signWithCredentials = leftOut('Signing for S3 Express');
  presignWithCredentials = leftOut('Signing for S3 Express');

  static sigv4aDependency() {
    return 'none';
  }
}

export const SignatureV4SignWithCredentials = leftOut('Signing for S3 Express');
