import * as z from 'zod';
import { UserId } from '../../../shared/domain/id.ts';
import { ORPHANS, type ReconcilePosition } from '../../../shared/service/schedules/reconcile-position.ts';
import type { CommandWords } from '../../tributary/command-tree.ts';

export const reconcileWords: CommandWords = {
  usage: 'reconcile',
  about: 'Make the schedules that the table needs and that are missing, and end those that belong to nothing.',
  options: [
    ['--after <position>', 'continue where an earlier call ended, at a user or at the orphans'],
    ['--dry-run', 'count, and change nothing'],
  ],
  examples: [
    ['tributary admin reconcile --stack TributaryProd', 'after a stage adopted kept or restored data'],
    ['tributary admin reconcile --dry-run', 'what is missing on this machine'],
  ],
};

export const ReconcileInput = z.strictObject({
  after: z
    .string()
    .regex(/^(?:orphans|u_[A-Za-z0-9]{1,64})$/, 'must be the position that an earlier call printed')
    .transform((text): ReconcilePosition => (text === ORPHANS ? ORPHANS : UserId.parse(text)))
    .optional(),
  dryRun: z.boolean().default(false),
});

export type ReconcileInput = z.infer<typeof ReconcileInput>;
