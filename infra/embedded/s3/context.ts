import type { Clock } from '../clock.ts';
import type { BodyFiles } from './body-files.ts';
import type { Objects } from './objects.ts';

/** The parts of the service that its operations work on. */
export interface S3Context {
  readonly clock: Clock;
  readonly files: BodyFiles;
  readonly objects: Objects;
  readonly maxPutBytes: number;
  hasBucket(name: string): boolean;
  /** Whether a role has a permission. S3 does not tell a role without `s3:ListBucket` that a key is missing. */
  isAllowed(role: string, action: string, resource: string): boolean;
}
