import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';

export interface Shell {
  /** Runs the commands of a block, the last of which ends with this code; the response is where their output begins. */
  run(commands: string, exitCode?: number): Promise<number>;
  /** Both outputs of everything, also of what runs in the background. */
  output(): string;
  close(): Promise<void>;
}

export interface ShellOptions {
  folder: string;
  env: Record<string, string | undefined>;
  /** Commands before the first block. */
  prelude: string;
}

/** Commands that go on until Ctrl-C. A reader runs them in another terminal. */
const GOES_ON = /^npx tributary (?:(?:dev|listen) .*|.* (?:-f|--follow)\b.*)$/gm;

/** One bash for all blocks of a page: variables, functions and jobs stay. A command that fails ends it. */
export function openShell({ folder, env, prelude }: ShellOptions): Shell {
  const scripts = join(folder, '.scripts');
  mkdirSync(scripts);
  const bash = spawn('bash', ['--norc', '-e'], { cwd: folder, env, detached: true });
  let text = '';
  let isClosed = false;
  for (const stream of [bash.stdout, bash.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const closed = new Promise<void>((resolve) => {
    bash.on('close', () => {
      isClosed = true;
      resolve();
    });
  });

  let blocks = 0;
  const run = async (commands: string, exitCode = 0): Promise<number> => {
    const from = text.length;
    const script = join(scripts, `${(blocks += 1)}.sh`);
    writeFileSync(script, commands.replace(GOES_ON, '$& &'));
    const end = `${blocks}: ${exitCode}`;
    // The commands must not read what the shell reads.
    const mayFail = exitCode === 0 ? '' : 'set +e; ';
    bash.stdin.write(`${mayFail}. ${script} </dev/null\nprintf '\\n[end of block ${blocks}: %s]\\n' $?; set -e\n`);
    await until(`the end of\n${commands}\n${text}`, () => {
      if (isClosed) throw new Error(`A command failed:\n${commands}\n${text.slice(from)}`);
      const [, ended] = /^\[end of block (\d+: \d+)\]$/m.exec(text.slice(from)) ?? [];
      if (ended !== undefined && ended !== end) throw new Error(`Exit ${ended} of\n${commands}`);
      return ended !== undefined;
    });
    return from;
  };

  return {
    async run(commands, exitCode) {
      if (blocks === 0) await run(prelude);
      return run(commands, exitCode);
    },
    output: () => text,
    async close() {
      // The shell, and what it left in the background.
      if (!isClosed && bash.pid !== undefined) process.kill(-bash.pid);
      await closed;
    },
  };
}
