import { lazyAdminGroup } from './lazy-admin-group.ts';
import type { AssemblyOf } from './stored-assembly.ts';
import { processTerminal } from './tributary/terminal.ts';
import { runCommandLine } from './tributary/run-command-line.ts';

/** The command `tributary`: the user's commands, and those that run the service. It ends the process. */
export async function runTributary(loadAssemblyOf: () => Promise<AssemblyOf>): Promise<never> {
  const terminal = processTerminal();
  const code = await runCommandLine(process.argv.slice(2), terminal, {
    async run({ paused }) {
      const { runService } = await import('./run-service.ts');
      await runService({ isPaused: paused }, await loadAssemblyOf());
      // A signal ends the process.
      return new Promise<never>(() => undefined);
    },
    addAdmin: lazyAdminGroup(async (stack, use, action) => {
      const { operateWith } = await import('./admin/operate.ts');
      return operateWith(loadAssemblyOf)(stack, use, action);
    }),
  });
  await terminal.flush();
  process.exit(code);
}
