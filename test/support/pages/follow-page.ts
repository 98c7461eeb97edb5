import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../until.ts';
import type { CommandSocket } from './command-socket.ts';
import { type Block, blocksOf, fileNameOf, missingLine } from './read-page.ts';
import { openShell, type Shell } from './shell.ts';

interface FollowOptions {
  /** The reader's folder. */
  folder: string;
  /** Only the blocks between these texts. */
  between?: readonly [string, string];
  commands: CommandSocket;
  env: Record<string, string>;
  /** Addresses and ports of the page, and those of this run. */
  replacements: readonly (readonly [string, string])[];
}

/**
 * Follows a page as a reader does, from its first block to its last: executes commands (`sh`), writes files (`js` and `ts` that begin with
 * their name), and waits for promised outputs (blocks without a language). Returns all outputs.
 */
export async function followPage(
  page: string,
  { folder, between, commands, env, replacements }: FollowOptions,
): Promise<string> {
  const shell = openShell({
    folder,
    prelude: commands.functions,
    env: { PATH: process.env['PATH'], HOME: folder, ...commands.env, ...env },
  });
  let from = 0;
  try {
    for (const block of blocksOf(page, between)) {
      const text = replacements.reduce((result, [old, now]) => result.replaceAll(old, now), block.text);
      const name = fileNameOf(block);
      if (name !== undefined) writeFileSync(join(folder, name), text);
      else if (block.language === 'sh') from = await shell.run(text, block.exitCode);
      else if (block.language === '') await waitForOutput(shell, { ...block, text }, { page, from });
      else expect(() => JSON.parse(text) as unknown, `${page}:${block.line}`).not.toThrow();
    }
  } finally {
    await shell.close();
  }
  return shell.output();
}

/** Waits until everything that a block promises is printed: by the commands before it, or by one that goes on. */
async function waitForOutput(
  shell: Shell,
  { text, line }: Block,
  { page, from }: { page: string; from: number },
): Promise<void> {
  const missing = () => missingLine(text, shell.output().slice(from));
  await until('the output', () => missing() === undefined, { withinMs: 20_000 }).catch(() => {
    throw new Error(`${page}:${line} promises\n${missing()}\nbut there is\n${shell.output().slice(from)}`);
  });
}
