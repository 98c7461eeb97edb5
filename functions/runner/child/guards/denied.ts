/** Captured before user code can replace them. */
const { assign } = Object;
const Failure = Error;

/** The error of everything that a component may not do. */
export const denied = (what: string): Error =>
  assign(new Failure(`A component may not ${what}.`), { code: 'ERR_ACCESS_DENIED' });
