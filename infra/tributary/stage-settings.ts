import type * as z from 'zod';
import type { StageSettings as Settings } from '../stage.ts';

/**
 * The settings of a stage, without those that belong to the stack. In the package, types with the texts of
 * docs/stages.md are in the place of this file: openapi-typescript generates them when the package is built.
 */
export type StageSettings = Omit<z.input<typeof Settings>, 'stackName' | 'terminationProtection'>;
