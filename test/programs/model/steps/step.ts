import type fc from 'fast-check';
import type { SeededFaults } from '../seeded-faults.ts';
import type { Tenant } from '../tenant.ts';
import type { Work } from '../quiet.ts';

/** The objects that a step acts on. */
export interface StepContext {
  readonly tenant: Tenant;
  readonly faults: SeededFaults;
  readonly work: Work;
}

/** One kind of step of a random workload: how its parameters are chosen, and what it does. */
export interface StepKind<Parameters> {
  /** How often the kind is chosen, compared with the others. */
  readonly weight: number;
  readonly parameters: fc.Arbitrary<Parameters>;
  play(context: StepContext, parameters: Parameters): Promise<void>;
}

/** A step with its parameters. */
export type Step = (context: StepContext) => Promise<void>;

/** A kind as an arbitrary of steps. */
export const stepsOf = <Parameters>({ weight, parameters, play }: StepKind<Parameters>) => ({
  weight,
  arbitrary: parameters.map(
    (chosen): Step =>
      (context) =>
        play(context, chosen),
  ),
});

/** The item that a random number picks, if there is one. */
export const picked = <T>(items: readonly T[], pick: number): T | undefined => items[pick % items.length];
