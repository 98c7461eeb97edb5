/** As Node's `dns.lookup` fails, so that clients know the error. */
const ERRNO = { ENOTFOUND: -3008, EAI_AGAIN: -3001 } as const;

type LookupCode = keyof typeof ERRNO;

export const lookupError = (code: LookupCode, hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), {
    code,
    errno: ERRNO[code],
    syscall: 'getaddrinfo',
    hostname,
  });

/** The codes of c-ares that say: there is no such name, or it has no such record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ABSENT.has(String(error.code));

/** A name server that cannot answer for this name may answer for another one. */
export const isServerFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ESERVFAIL';
