import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtCommand } from '../../bin/built-command.mjs';
import { DEADLINE_MS } from './until.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The service as `npm start` runs it, in a process of its own. */
export interface Service {
  readonly process: ChildProcess;
  /** `http://127.0.0.1:<port>/v1` */
  readonly base: string;
  readonly origin: string;
  /** Origin of the ingress. */
  readonly ingress: string;
  readonly output: () => string;
  /** Resolves with the exit code or the signal, once all of the output is there. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

export interface ServiceOptions {
  dataDir: string;
  apiKey?: string;
  env?: Record<string, string>;
  port?: number;
  ingressPort?: number;
  readyWithinMs?: number;
  /** Options of the service: `--paused`. */
  options?: readonly string[];
  /** For profiles: `--cpu-prof` and such. */
  nodeArguments?: readonly string[];
  /** Another Node than that of this process. */
  node?: string | undefined;
  /** Words of a command that starts the service, before it. */
  wrapper?: readonly string[];
  /** Another program than that of `npm start`, for a stage with other settings. */
  program?: string;
}

export const TEST_KEY = 'test-key-0123456789abcdef';

/** Node's arguments for the command `start`, or for another program. */
export async function startArguments(program?: string): Promise<string[]> {
  const lines = readFileSync(join(root, 'bin', 'tributary.mjs'), 'utf8');
  const [, options = ''] = /exec node (.*) "\$0"/.exec(lines) ?? [];
  if (program !== undefined) return [...options.split(' '), '--import', 'tsx', program];
  // Building it is not a part of what a test measures or reads.
  await builtCommand();
  return [...options.split(' '), join(root, 'bin', 'tributary.mjs'), 'start'];
}

/** Starts the service and waits for the line that says it is ready. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const {
    dataDir,
    apiKey = TEST_KEY,
    env = {},
    port = 0,
    ingressPort = 0,
    readyWithinMs = DEADLINE_MS,
    options: own = [],
    nodeArguments = [],
    node = process.execPath,
    wrapper = [],
    program,
  } = options;
  const [command = node, ...words] = [...wrapper, node, ...nodeArguments, ...(await startArguments(program)), ...own];
  const child = spawn(command, words, {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      INGRESS_PORT: String(ingressPort),
      API_KEY: apiKey,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return serviceOf(child, readyWithinMs);
}

/** A service that was started in any way, once it says that it is ready. Its outputs must be pipes. */
export async function serviceOf(child: ChildProcess, readyWithinMs = DEADLINE_MS): Promise<Service> {
  let output = '';
  // A program that fails leaves no service behind.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => {
      process.off('exit', kill);
      resolve(code ?? signal);
    });
  });
  const [base, ingress] = await new Promise<[string, string]>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The service was not ready within ${readyWithinMs} ms:\n${output}`));
    }, readyWithinMs);
    const look = (chunk: Buffer) => {
      output += chunk.toString();
      const [, address, ingressOrigin] = /(http:\/\/[^\s/]+\/v1), ingress at (http:\/\/[^\s/,]+)/.exec(output) ?? [];
      if (address === undefined || ingressOrigin === undefined) return;
      clearTimeout(timer);
      resolve([address, ingressOrigin]);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    void ended.then((how) => {
      clearTimeout(timer);
      reject(new Error(`The service ended (${how}) before it was ready:\n${output}`));
    });
  });
  return { process: child, base, origin: base.slice(0, -'/v1'.length), ingress, output: () => output, ended };
}

/** All descendants of a process that are alive now (Linux). */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // The process ended meanwhile.
    }
  }
  const found: number[] = [];
  const walk = (parent: number) => {
    for (const [child, of] of parents) {
      if (of !== parent) continue;
      found.push(child);
      walk(child);
    }
  };
  walk(pid);
  return found;
}

/** Program and arguments, none once it has ended. */
export function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

export async function stopService(service: Service): Promise<void> {
  if (service.process.exitCode === null && service.process.signalCode === null) service.process.kill('SIGTERM');
  const forced = setTimeout(() => service.process.kill('SIGKILL'), DEADLINE_MS);
  await service.ended;
  clearTimeout(forced);
}
