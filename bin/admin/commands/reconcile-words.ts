import * as z from 'zod';
import { UserId } from '../../../shared/domain/id.ts';
import { ORPHANS, type ReconcilePosition } from '../../../shared/service/schedules/reconcile-position.ts';
import type { TerminalCommand } from '../operator-command.ts';

const ReconcileInput = z.strictObject({
  after: z
    .string()
    .regex(/^(?:orphans|u_[A-Za-z0-9]{1,64})$/, 'must be the position that an earlier call printed')
    .transform((text): ReconcilePosition => (text === ORPHANS ? ORPHANS : UserId.parse(text)))
    .optional(),
  dryRun: z.boolean().default(false),
});

export const reconcileCommand: TerminalCommand<typeof ReconcileInput> = {
  usage: 'reconcile',
  about: 'Make the schedules that the table needs and that are missing, and end those that belong to nothing.',
  options: [
    ['--after <position>', 'continue where an earlier call ended, at a user or at the orphans'],
    ['--dry-run', 'count, and change nothing'],
  ],
  input: ReconcileInput,
  examples: [
    ['tributary admin reconcile --stack TributaryProd', 'after a stage adopted kept or restored data'],
    ['tributary admin reconcile --dry-run', 'what is missing on this machine'],
  ],
  run: async (operator, input, terminal) => {
    const { reconcileSchedules } = await import('./reconcile-command.ts');
    return reconcileSchedules(operator, input, { interrupted: terminal.interrupted() });
  },
};
