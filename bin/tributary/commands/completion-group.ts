import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandTree } from '../command-tree.ts';
import { completionScripts, type Words } from './completion-scripts.ts';

/** `completion bash|zsh|fish`. */
export function addCompletionCommand({ program, loadAll, leaf }: CommandTree): void {
  const shells = Object.keys(completionScripts).join('|');
  leaf(program, {
    usage: 'completion <shell>',
    about: `Print the script that completes commands and options in a shell (${shells}).`,
    input: z.object({ shell: z.enum(['bash', 'zsh', 'fish'], 'must be bash, zsh or fish') }),
    examples: [
      ['source <(tributary completion bash)', 'in ~/.bashrc; zsh likewise, in ~/.zshrc'],
      ['tributary completion fish > ~/.config/fish/completions/tributary.fish', 'for fish'],
    ],
    run: async ({ output }, { shell }) => {
      await loadAll();
      output.text(completionScripts[shell](wordsOf(program)));
    },
  });
}

/** Subcommands and options by the path of each command, such as `sources create`. */
function wordsOf(program: Command): Words[] {
  const optionsOf = (command: Command) => {
    const help = command.createHelp();
    const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
    return options.flatMap(({ long, short }) => [long, short].filter((flag) => flag != null));
  };
  const walk = (command: Command, path: readonly string[]): Words[] => [
    {
      path: path.join(' '),
      words: [...command.commands.map((child) => child.name()), ...new Set(optionsOf(command))],
      takesFile: command.registeredArguments.some((argument) => ['file', 'from'].includes(argument.name())),
    },
    ...command.commands.flatMap((child) => walk(child, [...path, child.name()])),
  ];
  return walk(program, []);
}
