import * as z from 'zod';

/** Names of one component that are kept; real components have none or one. */
export const MAX_SLIPS = 20;
const LONGEST_NAME = 64;

/** A longer name is not looked at. */
export const isSlipName = (name: string): boolean => name.length > 0 && name.length <= LONGEST_NAME;

const Names = z.array(z.string().max(LONGEST_NAME)).max(MAX_SLIPS);

/** Findings of the builder in code that is legal and surely a slip. */
export const Slips = z.object({
  /** Functions of the component that are arrow functions, in which `this` is not the component: `run`, `hooks.deploy`, `methods.poll`. */
  arrows: Names,
  /** Names that the code reads as `this.<name>`, sets nowhere and never asks whether they are there. The runner knows the props and methods. */
  reads: z.array(z.string().max(LONGEST_NAME)).max(10 * MAX_SLIPS),
});
export type Slips = z.infer<typeof Slips>;
