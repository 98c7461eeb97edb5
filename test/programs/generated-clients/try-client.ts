import { execFile } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Command, GeneratedClient } from './clients.ts';

const run = promisify(execFile);
const MINUTES = 60_000;

/** The parts of the main job, as the programs in `jobs/` report them. */
export const PARTS = [
  'create a source',
  'subscribe a webhook',
  'list events',
  'read deliveries',
  'test the webhook',
  'delete a range of events',
  'read errors',
  'read user and metrics',
] as const;

export interface ClientResult {
  client: GeneratedClient;
  done: readonly string[];
  /** Why the client was skipped, or did not do the whole job. */
  reason: string | undefined;
}

export interface JobContext {
  document: string;
  env: Readonly<Record<string, string>>;
  /** The time that the component gives its events. */
  eventTime: number;
}

const Values = z.object({
  ts: z.number(),
  indexed_at_ms: z.number(),
  attempt_at_ms: z.number(),
  outcome: z.string(),
  username: z.string(),
  bucket_ms: z.number(),
});

/** Makes a client in a folder of its own and lets it do the main job. */
export async function tryClient(client: GeneratedClient, context: JobContext): Promise<ClientResult> {
  const missing = await firstMissing(client.needs);
  if (missing !== undefined) return { client, done: [], reason: `skipped: there is no ${missing} here` };
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  try {
    await writeFile(join(folder, 'openapi.json'), context.document);
    await client.prepare(folder);
    const start = (command: Command) => started(command, folder, { ...context.env, ...client.env });
    for (const command of client.make) {
      const { problem } = await start(command);
      if (problem !== undefined) return { client, done: [], reason: problem };
    }
    const { output, problem } = await start(client.run);
    const done = PARTS.filter((part) => output.includes(`done: ${part}\n`));
    return { client, done, reason: problem ?? wrongValue(output, context.eventTime) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function started([program, ...words]: Command, folder: string, env: Readonly<Record<string, string>>) {
  const path = program.includes('/') ? resolve(folder, program) : program;
  try {
    const { stdout } = await run(path, words, {
      cwd: folder,
      env: { ...process.env, ...env },
      timeout: 20 * MINUTES,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { output: stdout, problem: undefined };
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error) as { stdout?: string; stderr?: string };
    return {
      output: stdout,
      problem: `${[program, ...words].join(' ').slice(0, 80)}: ${(stderr || stdout).trim().slice(-1_500)}`,
    };
  }
}

/** A client that decodes a number inexactly is as wrong as one that fails. */
function wrongValue(output: string, eventTime: number): string | undefined {
  const { data, error } = Values.safeParse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
  if (error) return z.prettifyError(error);
  if (data.ts !== eventTime) return `metadata.ts is ${data.ts}, not ${eventTime}`;
  const late = Date.now() - 10 * MINUTES;
  const wrong = [data.indexed_at_ms, data.attempt_at_ms].find((ms) => ms < late || ms > Date.now());
  if (wrong !== undefined) return `a time of now is ${wrong}`;
  return data.outcome.toLowerCase() === 'delivered' ? undefined : `the outcome of the test is ${data.outcome}`;
}

/** The first of these programs that is not on the path. */
export async function firstMissing(programs: readonly string[]): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const program of programs) {
    const found = await Promise.all(
      folders.map((folder) =>
        access(join(folder, program)).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!found.includes(true)) return program;
  }
  return undefined;
}
