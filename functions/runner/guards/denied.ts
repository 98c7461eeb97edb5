/** The error of everything that a component may not do. */
export const denied = (what: string): Error =>
  Object.assign(new Error(`A component may not ${what}.`), { code: 'ERR_ACCESS_DENIED' });
