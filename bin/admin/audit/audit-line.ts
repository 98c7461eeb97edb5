import type { OperatorRole } from '../../../infra/constructs/operator-roles.ts';

/** One use of a command. */
export interface OperatorAction {
  /** Its words: `users suspend`. */
  command: string;
  role: OperatorRole;
  /** By name. */
  options: Readonly<Record<string, unknown>>;
}

/** Options whose values name the subject. Values of others may be secrets or personal, and never reach the log. */
const SHOWN = [
  ...['user', 'owner', 'username', 'plan', 'account', 'app', 'workflow', 'id', 'queue', 'message', 'reason'],
  ...['api', 'days', 'after', 'dryRun', 'to', 'stage', 'table', 'bucket', 'path'],
];

export const shownOptions = (options: OperatorAction['options']): Record<string, unknown> =>
  Object.fromEntries(SHOWN.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));

/** Says who did what to whom, without secrets. */
export function auditLine({ command, role, options }: OperatorAction, who: string): string {
  const timestamp = new Date().toISOString();
  return JSON.stringify({
    timestamp,
    message: 'admin.command',
    who,
    command,
    role,
    subject: shownOptions(options),
  });
}
