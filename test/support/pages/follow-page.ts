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
 * Follows a page as a reader does, from its first block to its last: executes commands (`sh`), writes files (`js` and
 * `ts` that begin with their name), and waits for promised outputs (blocks without a language). Returns all outputs.
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
  let look: string | undefined;
  try {
    for (const block of blocksOf(page, between)) {
      const text = replacements.reduce((result, [old, now]) => result.replaceAll(old, now), block.text);
      const name = fileNameOf(block);
      if (name !== undefined) writeFileSync(join(folder, name), text);
      else if (block.language === 'sh') {
        look = lookOf(text);
        from = await shell.run(text, block.exitCode);
      } else if (block.language === '') await waitForOutput(shell, { ...block, text }, { page, from, look });
      else expect(() => JSON.parse(text) as unknown, `${page}:${block.line}`).not.toThrow();
    }
  } finally {
    await shell.close();
  }
  return shell.output();
}

/** A reader who does not see the output yet looks again after this time. */
const LOOK_AGAIN_MS = 5_000;

/** The commands after the last `sleep` of a block: they show what came meanwhile. */
const lookOf = (commands: string): string | undefined => /^sleep \d+\n(?![^]*^sleep )([^]+)/m.exec(commands)?.[1];

/** Waits until everything that a block promises is printed: by the commands before it, or by one that goes on. */
async function waitForOutput(
  shell: Shell,
  { text, line }: Block,
  { page, from, look }: { page: string; from: number; look: string | undefined },
): Promise<void> {
  const missing = () => missingLine(text, shell.output().slice(from));
  let lookedAt = performance.now();
  await until('the output', async () => {
    if (missing() === undefined) return true;
    if (look === undefined || performance.now() - lookedAt < LOOK_AGAIN_MS) return false;
    await shell.run(look);
    lookedAt = performance.now();
    return missing() === undefined;
  }).catch((error: unknown) => {
    throw new Error(`${page}:${line} promises\n${missing()}\nbut there is\n${shell.output().slice(from)}`, {
      cause: error,
    });
  });
}
