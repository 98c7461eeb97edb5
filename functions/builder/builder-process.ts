import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { LineReader } from '../../shared/lib/line-reader.ts';
import type { Processes, ProcessOptions, UntrustedProcess } from '../../shared/runtime/processes.ts';
import { BuildResponse, type BuildJob } from './builder-settings.ts';
import { earlyEnd } from './early-end.ts';

/** Bytes of one response. */
const LONGEST_RESPONSE = 64 * 1024 * 1024;
/** Limit of the JavaScript heap; buffers and the compiler process are not part of it. */
const HEAP_MB = 1_024;

export interface Programs {
  processes: Processes;
  program: string;
  /** Folder of the program and of the files that it links into components. */
  programFolder: string;
  /** The complete environment of the processes. */
  env: Record<string, string>;
  network: ProcessOptions['network'];
  /** Time limit of one build. */
  limitMs: number;
  /** Time after which an idle process ends. */
  idleMs: number;
}

/** Directories of one user's builds. */
export interface OwnerDirectories {
  /** Parent of the others. */
  root: string;
  /** npm's cache. */
  packages: string;
  /** Installed packages. */
  installedSets: string;
}

/** Bytes of the standard error that are kept: V8 prints the reason of an abort at its end. */
const STDERR_BYTES = 8192;
/** A process that it started may hold its standard error open. */
const LONGEST_CLOSE_MS = 500;

/** One process that builds for one user, one build at a time. */
export class BuilderProcess {
  readonly workDirectory: string;
  isAlive = true;
  readonly #process: Promise<UntrustedProcess>;
  readonly #limits: Pick<Programs, 'limitMs' | 'idleMs'>;
  /** Response to every build after the end. */
  #lastResponse: BuildResponse = { kind: 'not_started' };
  #idle: NodeJS.Timeout | undefined;
  #onResponse: (response: BuildResponse) => void = () => undefined;

  constructor(
    { processes, program, programFolder, env, network, limitMs, idleMs }: Programs,
    ownerId: string,
    { root, packages, installedSets }: OwnerDirectories,
  ) {
    this.#limits = { limitMs, idleMs };
    this.workDirectory = mkdtempSync(join(root, 'work-'));
    this.#process = processes.start({
      owner: `builder of ${ownerId}`,
      args: [`--max-old-space-size=${HEAP_MB}`, program],
      cwd: this.workDirectory,
      env: { ...env, HOME: this.workDirectory, TMPDIR: this.workDirectory },
      readable: [programFolder],
      writable: [this.workDirectory, packages, installedSets],
      memoryMb: 4 * HEAP_MB,
      network,
      temporary: this.workDirectory,
    });
    this.#process.then(
      (started) => {
        started.assign(ownerId, 'builder');
        this.#listen(started);
      },
      () => this.#ended({ kind: 'not_started' }),
    );
  }

  async build(job: BuildJob): Promise<BuildResponse> {
    clearTimeout(this.#idle);
    const { limitMs, idleMs } = this.#limits;
    const answered = new Promise<BuildResponse>((resolve) => (this.#onResponse = resolve));
    const overrun = setTimeout(() => {
      this.end();
      this.#onResponse({ kind: 'failed', message: `the build took longer than ${limitMs / 1000} seconds` });
    }, limitMs);
    if (!this.isAlive) this.#onResponse(this.#lastResponse);
    this.#process.then(
      ({ requests }) => requests.write(`${JSON.stringify(job)}\n`),
      () => undefined,
    );
    try {
      return await answered;
    } finally {
      clearTimeout(overrun);
      this.#idle = setTimeout(() => this.end(), idleMs).unref();
    }
  }

  end(): void {
    clearTimeout(this.#idle);
    this.isAlive = false;
    this.#process.then(
      (started) => started.kill(),
      () => undefined,
    );
  }

  #listen({ requests, lines, stderr, ended }: UntrustedProcess): void {
    const reader = new LineReader();
    for (const stream of [requests, lines, stderr]) stream.on('error', () => undefined);
    let printed = Buffer.alloc(0);
    stderr.on('data', (chunk: Buffer) => {
      printed = Buffer.concat([printed, chunk.subarray(-STDERR_BYTES)]).subarray(-STDERR_BYTES);
    });
    const printedAll = new Promise((resolve) => stderr.once('close', resolve));
    const late = () => new Promise((resolve) => setTimeout(resolve, LONGEST_CLOSE_MS).unref());
    lines.on('data', (chunk: Buffer) => {
      const responses = reader.push(chunk).map(responseOf);
      for (const response of responses) if (response) this.#answered(response);
      if (reader.pending <= LONGEST_RESPONSE && !responses.includes(undefined)) return;
      // A process that says anything else is not the builder any more.
      lines.destroy();
      this.end();
      this.#ended({ kind: 'failed', message: 'the build process wrote something else than a response' });
    });
    void ended.then(async (end) => {
      await Promise.race([printedAll, late()]);
      requests.destroy();
      this.#ended({ kind: 'failed', message: earlyEnd(end, printed.toString('utf8')) });
    });
  }

  #answered(response: BuildResponse): void {
    if (response.kind === 'failed' && response.isLast) this.end();
    this.#onResponse(response);
  }

  #ended(response: BuildResponse): void {
    this.isAlive = false;
    this.#lastResponse = response;
    this.#onResponse(response);
  }
}

function responseOf(line: string): BuildResponse | undefined {
  try {
    return BuildResponse.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
