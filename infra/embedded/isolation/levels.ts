/** How untrusted code is separated from this machine, the strongest first; see docs/isolation.md. */
export const LEVELS = ['sandbox', 'user', 'process'] as const;
export type Level = (typeof LEVELS)[number];

/** The level that was asked for is not available; the message is a sentence. */
export class IsolationUnavailable extends Error {
  override readonly name = 'IsolationUnavailable';
}

/** The meaning of each level for the operator, for the ready line. */
export const meaningOf: Readonly<Record<Level, string>> = {
  sandbox: 'components run in a sandbox',
  user: 'components run as users of their own, without a sandbox: docs/isolation.md',
  process: "components run with Node's permission model only: run code you trust (docs/isolation.md)",
};
