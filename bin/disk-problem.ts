/** The system's reasons why a file cannot be written, for the operator. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: "the user's share of the disk is used up",
  EROFS: 'the file system is read-only',
  EIO: 'the disk reports an error',
  EMFILE: 'this process has too many open files',
  ENFILE: 'this machine has too many open files',
};

/** One sentence, if the disk caused the error. */
export function diskProblem(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const reason = 'code' in at && typeof at.code === 'string' ? REASONS[at.code] : undefined;
    if (reason !== undefined) return `${reason}. Nothing that was acknowledged is lost.`;
  }
  return undefined;
}

/** The sentence of a stop that could not write the rest. */
export const stopProblem = (error: unknown): string => {
  const reason =
    diskProblem(error) ??
    `${error instanceof Error ? error.message : String(error)} Nothing that was acknowledged is lost.`;
  return `The service stopped, but could not write what was in progress: ${reason} The next start does it again.`;
};
