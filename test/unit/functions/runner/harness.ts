import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, type Host } from '../../../../functions/runner/host.ts';
import type { SendReport } from '../../../../functions/runner/late-reports.ts';
import { directProcesses, type Processes } from '../../../../shared/runtime/processes.ts';
import { LineReader } from '../../../../shared/lib/line-reader.ts';
import { UserId } from '../../../../shared/domain/id.ts';
import { lineValue } from '../../../../shared/domain/run/line-text.ts';
import { type Job, RunnerLine, type RunnerRequest } from '../../../../shared/domain/run/run.ts';
import { defaultLimits } from '../../../../shared/domain/run-limits.ts';
import { builtPrograms } from '../../../support/built-programs.ts';
import { closeServer } from '../../../support/close-server.ts';

const OWNER = UserId.parse('u_test');

type Kind = RunnerLine['k'];
export type Line<K extends Kind> = Extract<RunnerLine, { k: K }>;

/** The lines of a response, by kind. */
export class RunResponse {
  readonly lines: RunnerLine[];

  constructor(lines: RunnerLine[]) {
    this.lines = lines;
  }

  of<K extends Kind>(k: K): Line<K>[] {
    return this.lines.filter((line): line is Line<K> => line.k === k);
  }

  get events(): unknown[] {
    return this.of('emit').map(({ json }) => JSON.parse(json) as unknown);
  }

  /** Codes of the jobs' ends, in order; `ok` for those that succeeded. */
  get ends(): string[] {
    return this.of('end').map(({ error }) => error?.code ?? 'ok');
  }

  get logs(): string[] {
    return this.of('log').map(({ msg }) => msg);
  }

  get db(): unknown {
    const last = this.of('db').at(-1);
    return last && JSON.parse(last.json);
  }
}

interface RunnerOptions {
  warm?: number;
  idleMb?: number;
  env?: NodeJS.ProcessEnv;
  hosts?: Record<string, string>;
  network?: { allowPrivate: boolean; allowList: string[] };
  processes?: Processes;
  sendReport?: SendReport;
  /** Called before the response to a request for a bundle. */
  beforeBundle?: () => Promise<unknown>;
}

type RunOptions = Partial<Omit<RunnerRequest, 'limits' | 'bundle'>> & {
  limits?: Partial<RunnerRequest['limits']>;
};

/** A host with the real child, and a server for its bundles. */
export class Runner {
  readonly host: Host;
  readonly script: string;
  readonly #directory: string;
  readonly #codes = new Map<string, string>();
  readonly #server = createServer(({ url = '' }, response) => {
    this.fetched.push(url);
    const code = this.#codes.get(url.slice(1));
    void this.#beforeBundle().then(() => response.writeHead(code === undefined ? 404 : 200).end(code));
  });
  readonly #beforeBundle: () => Promise<unknown>;
  readonly fetched: string[] = [];
  #port = 0;

  private constructor(
    directory: string,
    script: string,
    {
      warm = 16,
      idleMb = 128,
      env = process.env,
      hosts = {},
      network = { allowPrivate: true, allowList: [] },
      processes = directProcesses(),
      sendReport,
      beforeBundle = () => Promise.resolve(),
    }: RunnerOptions,
  ) {
    this.#directory = directory;
    this.#beforeBundle = beforeBundle;
    this.script = script;
    const runtimeApi = env['AWS_LAMBDA_RUNTIME_API'];
    this.host = createHost({
      processes,
      script,
      warm,
      idleMb,
      env,
      settings: { runtimeApi, hosts, network },
      sendReport,
    });
  }

  static async start(options: RunnerOptions = {}): Promise<Runner> {
    const directory = mkdtempSync(join(tmpdir(), 'runner-test-'));
    const runner = new Runner(directory, await copyPrograms(directory), options);
    await new Promise<void>((resolve) => runner.#server.listen(0, '127.0.0.1', resolve));
    const address = runner.#server.address();
    runner.#port = address !== null && typeof address === 'object' ? address.port : 0;
    return runner;
  }

  async close(): Promise<void> {
    await this.host.close();
    await closeServer(this.#server);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** A request for this code; by default one run with `{}`. */
  request(code: string, { limits, ...options }: RunOptions = {}): RunnerRequest {
    const hash = createHash('sha256').update(code).digest('hex');
    this.#codes.set(hash, code);
    return {
      ownerId: OWNER,
      processKey: `dc_${hash.slice(0, 12)}`,
      sourceId: 'dc_test',
      bundle: { hash, url: `http://127.0.0.1:${this.#port}/${hash}` },
      props: {},
      db: '{}',
      limits: { ...defaultLimits, ...limits },
      jobs: [run({})],
      ...options,
    };
  }

  /** Runs the code and returns all lines. */
  async run(code: string, options: RunOptions = {}): Promise<RunResponse> {
    return this.send(this.request(code, options));
  }

  async send(request: RunnerRequest): Promise<RunResponse> {
    const lines: RunnerLine[] = [];
    await this.host.run(request, new Collector((line) => lines.push(line)));
    return new RunResponse(lines);
  }
}

/** Reads and parses the host's output. */
export class Collector extends EventEmitter {
  readonly #lines = new LineReader();
  readonly #onLine: (line: RunnerLine) => void;

  constructor(onLine: (line: RunnerLine) => void) {
    super();
    this.#onLine = onLine;
  }

  write(written: string | Buffer): boolean {
    const bytes = Buffer.from(written);
    for (const line of this.#lines.push(bytes)) this.#onLine(RunnerLine.parse(lineValue(line)));
    return true;
  }
}

/** Copies the programs of the runner as they are deployed into the directory. Returns the path of `child.js`. */
export async function copyPrograms(directory: string): Promise<string> {
  const programs = await builtPrograms('runner-programs', {
    index: 'functions/runner/index.ts',
    child: 'functions/runner/child/child.ts',
  });
  for (const name of ['index.js', 'child.js']) {
    copyFileSync(join(programs, name), join(directory, name));
    // Processes of another operating-system user read it, too.
    chmodSync(join(directory, name), 0o644);
  }
  chmodSync(directory, 0o755);
  return join(directory, 'child.js');
}

let jobs = 0;
const nextId = () => `job-${(jobs += 1)}`;

export const run = (event: unknown): Job => ({ kind: 'run', id: nextId(), event: JSON.stringify(event) });
export const describeJob = (): Job => ({ kind: 'describe', id: nextId() });
export const hook = (name: 'deploy' | 'activate' | 'deactivate'): Job => ({
  kind: 'hook',
  id: nextId(),
  hook: name,
});

/** Code of a run that does something after its end, which comes two immediates after its return. */
export const afterEnd = (late: string): string =>
  `let n = 0; const next = () => { n += 1; if (n < 5) setImmediate(next); else { ${late} } }; next();`;

/** A component with this body. */
export const source = (body: string, before = ''): string =>
  `${before}\nexport default { name: 'Test', version: '0.0.1', props: { db: '$.service.db' }, ${body} };\n`;
