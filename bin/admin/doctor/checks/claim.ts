import type { Subject } from '../doctor-subject.ts';

/** A claim about AWS that only a deployed stack can confirm. */
export interface Check {
  /** Name of its line in the report. */
  readonly name: string;
  /** The claim, as in docs/deploy.md. */
  readonly claim: string;
  /**
   * Returns the observation. Throws `Refuted` when the claim does not hold, and `Unused`; any other error leaves it
   * open.
   */
  ask(subject: Subject): Promise<string>;
}

/** The stage does not use the service that the claim is about. */
export class Unused extends Error {}

/** The stack answered, and the claim does not hold. */
export class Refuted extends Error {}

export function hold(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Refuted(otherwise);
}
