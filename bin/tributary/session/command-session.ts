import * as z from 'zod';
import { type Api, createApi } from './api.ts';
import { createOutput } from '../output/printer.ts';
import { readProfiles } from './profiles.ts';
import { createServiceFetch } from './service-fetch.ts';
import { serviceHere } from './service-here.ts';
import { resolveTarget, type Target, type TargetInput } from './target.ts';
import type { Terminal } from '../terminal.ts';

/** Options that every command takes. */
export const GlobalOptions = z.object({
  url: z.string().optional(),
  key: z.string().optional(),
  profile: z.string().optional(),
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
  debug: z.boolean().default(false),
  output: z.literal('wide').optional(),
});
export type GlobalOptions = z.infer<typeof GlobalOptions>;

export type Session = ReturnType<typeof createSession>;

/** One command's access to its terminal and to the service. */
export function createSession(terminal: Terminal, options: GlobalOptions) {
  const { env, cwd } = terminal;
  const output = createOutput(terminal, { ...options, isWide: options.output === 'wide' });
  let api: Promise<Api> | undefined;

  const targetInput = async (): Promise<TargetInput> => ({
    options,
    env,
    profiles: await readProfiles(env),
    here: await serviceHere(env, cwd),
  });
  const target = async () => resolveTarget(await targetInput());
  const debug = (line: string) => {
    if (options.debug) output.note(line);
  };
  const fetch = createServiceFetch(env, debug);
  const apiAt = ({ base, key }: Pick<Target, 'base' | 'key'>) =>
    createApi({ base, key, fetch, debug, note: output.note });

  return {
    terminal,
    options,
    output,
    /** Whether the command may ask questions. */
    isInteractive: terminal.stdin.isTTY === true && terminal.stdout.isTTY === true && !options.json,
    targetInput,
    target,
    /** The service of `target`. */
    api: () => (api ??= target().then(apiAt)),
    apiAt,
  };
}
