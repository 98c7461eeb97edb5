import { refusedFailure } from '../failures.ts';
import { plainLine } from '../../plain-text.ts';
import { isThisMachine } from '../session/service-address.ts';
import type { Session } from '../session/command-session.ts';

/** Asks once before something is deleted; only on a terminal, and not with `--yes`. */
export async function confirmDelete(session: Session, what: string, yes: boolean): Promise<void> {
  const { terminal, isInteractive } = session;
  if (yes || !isInteractive) return;
  const { base } = await session.target();
  const where = isThisMachine(base) ? '' : ` at ${new URL(base).host}`;
  const { confirm } = await import('@inquirer/prompts');
  const isSure = await confirm(
    { message: plainLine(`Delete ${what}${where}?`), default: false },
    { input: terminal.stdin, output: terminal.stderr },
  );
  if (!isSure) throw refusedFailure('Nothing was deleted.', 'not_confirmed');
}
