/** Descriptors of a process for untrusted code: requests come in on 3; lines go out on 4, which blocks. */
export const REQUESTS = 3;
export const LINES = 4;
