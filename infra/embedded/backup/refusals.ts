import { getSystemErrorMap } from 'node:util';
import { AwsError } from '../call.ts';

/** A backup that was not made. The message tells the operator why and what helps, in one or two sentences. */
export class BackupRefused extends AwsError {
  constructor(message: string, cause?: unknown) {
    super('BackupRefused', message);
    this.cause = cause;
  }
}

export const endedRefusal = () => new BackupRefused('The backup was ended. Nothing of it is left.');

export const noRoomRefusal = (folder: string, cause?: unknown) =>
  new BackupRefused(
    `The disk of ${folder} has no room for the backup: free space on it, or choose a path on another disk.`,
    cause,
  );

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);
const FORBIDDEN = new Set(['EACCES', 'EPERM', 'EROFS']);

/** The refusal for an error of the system or of LevelDB. */
export function refusalOf(error: unknown, folder: string): AwsError {
  if (error instanceof AwsError) return error;
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code = '', errno } = at as NodeJS.ErrnoException;
    if (NO_ROOM.has(code) || /No space left|quota exceeded/i.test(at.message)) return noRoomRefusal(folder, error);
    if (FORBIDDEN.has(code))
      return new BackupRefused(
        `The service may not write to ${folder}: allow it to the user of the service, or choose another path.`,
        error,
      );
    const [, message] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
    if (message !== undefined) return new BackupRefused(`The backup failed: ${message}. Nothing of it is left.`, error);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new BackupRefused(`The backup failed: ${message.replace(/\.?$/, '.')} Nothing of it is left.`, error);
}
