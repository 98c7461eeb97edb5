import { setTimeout as pause } from 'node:timers/promises';
import { STAGES } from '../../../infra/read-stage.ts';
import { s3Client } from '../../../shared/aws/clients.ts';
import { refusedFailure, usageFailure } from '../../tributary/failures.ts';
import type { Session } from '../../tributary/session/command-session.ts';
import { auditOnStack } from '../audit/write-audit.ts';
import { namesFrom, outputsOfStack } from '../names.ts';
import { cloudFormationClient, tablesClient } from '../operator-clients.ts';
import type { Report } from '../operator-command.ts';
import { restoreTable } from './restore-command.ts';
import type { RestoreInput } from './restore-words.ts';

/** Restores with the credentials and the terminal of the operator. */
export const restoreWith = (
  session: Session,
  { stack, ...input }: RestoreInput & { stack?: string | undefined },
): Promise<Report> =>
  restoreTable(input, {
    dynamo: tablesClient(),
    s3: s3Client(),
    cloudFormation: cloudFormationClient(),
    folder: STAGES,
    stack,
    namesOf: async (stackName) => {
      const names = namesFrom(await outputsOfStack(stackName));
      await auditOnStack(names.auditLogGroup, { command: 'restore', role: 'restore', options: input });
      return names;
    },
    confirm: (plan) => confirmRestoration(session, { plan, yes: input.yes }),
    note: session.output.note,
    pause: (ms) => pause(ms, undefined, { signal: session.terminal.interrupted() }),
    interrupted: session.terminal.interrupted(),
  });

async function confirmRestoration(
  { terminal, isInteractive, output }: Session,
  { plan, yes }: { plan: string; yes: boolean },
): Promise<void> {
  if (!yes && !isInteractive) throw usageFailure('Give --yes: nobody can be asked here. --dry-run shows the plan.');
  output.note(plan);
  if (yes) return;
  const { confirm } = await import('@inquirer/prompts');
  const isSure = await confirm(
    { message: 'Restore?', default: false },
    { input: terminal.stdin, output: terminal.stderr },
  );
  if (!isSure) throw refusedFailure('Nothing was changed.', 'not_confirmed');
}
