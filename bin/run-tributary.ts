import { endWithParent, hasHeapOptions, runWithHeapOptions } from './heap-options.ts';
import type { AssemblyOf } from './stored-assembly.ts';

/** The command `tributary`: the user's commands, and those that run the service. It ends the process. */
export async function runTributary(loadAssemblyOf: () => Promise<AssemblyOf>): Promise<never> {
  const argv = process.argv.slice(2);
  // This process only passes signals on, so it loads nothing.
  if (argv[0] === 'start' && !hasHeapOptions()) process.exit(await runWithHeapOptions());
  const [{ processTerminal }, { runCommandLine }] = await Promise.all([
    import('./tributary/terminal.ts'),
    import('./tributary/run-command-line.ts'),
  ]);
  const terminal = processTerminal();
  const code = await runCommandLine(argv, terminal, {
    async run({ paused }) {
      endWithParent();
      const { runService } = await import('./run-service.ts');
      await runService(paused ? ['--paused'] : [], await loadAssemblyOf());
      // A signal ends the process.
      return new Promise<never>(() => undefined);
    },
    async operate(stack, use) {
      const { operateWith } = await import('./admin/operate.ts');
      return operateWith(loadAssemblyOf)(stack, use);
    },
  });
  await terminal.flush();
  process.exit(code);
}
