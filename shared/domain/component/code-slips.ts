import * as z from 'zod';

/** Names of one component that are kept; real components have none or one. */
export const MAX_SLIPS = 20;
const LONGEST_NAME = 64;
const LONGEST_POSITION = 300;

/** The positions that are kept. */
export const shownPositions = (positions: readonly string[]): string[] =>
  positions.filter((position) => position.length <= LONGEST_POSITION).slice(0, MAX_SLIPS);

/** A longer name is not looked at. */
export const isSlipName = (name: string): boolean => name.length > 0 && name.length <= LONGEST_NAME;

const Names = z.array(z.string().max(LONGEST_NAME)).max(MAX_SLIPS);

/** Findings of the builder in code that is legal and surely a slip. */
export const Slips = z.object({
  /**
   * Functions of the component that are arrow functions, in which `this` is not the component: `run`, `hooks.deploy`,
   * `methods.poll`.
   */
  arrows: Names,
  /**
   * Names that the code reads as `this.<name>`, sets nowhere and never asks whether they are there. The runner knows
   * the props and methods.
   */
  reads: z.array(z.string().max(LONGEST_NAME)).max(10 * MAX_SLIPS),
  /** Positions of calls of `require` with a computed name. Absent in builds of earlier releases. */
  requires: z.array(z.string().max(LONGEST_POSITION)).max(MAX_SLIPS).optional(),
});
export type Slips = z.infer<typeof Slips>;
