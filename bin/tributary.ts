import { fileURLToPath } from 'node:url';
import { lazyAdminGroup } from './lazy-admin-group.ts';
import { runCommandLine } from './tributary/run-command-line.ts';
import { processTerminal } from './tributary/terminal.ts';

/* The entry of the built command `tributary`: the user's commands, and those that run the service. */

const assembly = fileURLToPath(new URL('../assembly', import.meta.url));
const loadAssemblyOf = async () => (await import('./built-assembly.ts')).builtAssemblyIn(assembly);

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
