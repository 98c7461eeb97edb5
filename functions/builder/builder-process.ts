import { type ChildProcess, spawn } from 'node:child_process';
import { processDirectory, removeTree } from './build-directory.ts';
import { BuildAnswer, type BuildJob } from './builder-settings.ts';

/** Limit of the JavaScript heap; buffers and the compiler process are not part of it. */
const HEAP_MB = 1_024;

export interface Programs {
  program: string;
  /** Parent of the processes' directories. */
  directory: string;
  /** The complete environment of the processes. */
  env: Record<string, string>;
  /** Time limit of one build. */
  limitMs: number;
  /** Time after which an idle process ends. */
  idleMs: number;
}

/** One process that builds for one user, one build at a time. */
export class BuilderProcess {
  readonly workDirectory: string;
  isAlive = true;
  readonly #process: ChildProcess;
  readonly #limits: Pick<Programs, 'limitMs' | 'idleMs'>;
  #idle: NodeJS.Timeout | undefined;

  constructor({ program, directory, env, limitMs, idleMs }: Programs) {
    this.#limits = { limitMs, idleMs };
    this.workDirectory = processDirectory(directory);
    this.#process = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, program], {
      cwd: this.workDirectory,
      env,
      // A process group of its own, so that its children are killed with it, and signals of the terminal do not reach it.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const onEnd = () => {
      this.isAlive = false;
      this.#removeFiles();
    };
    this.#process.once('exit', onEnd).once('error', onEnd);
    this.#process.unref();
    this.#process.channel?.unref();
  }

  async build(job: BuildJob): Promise<BuildAnswer> {
    clearTimeout(this.#idle);
    try {
      return await this.#exchange(job);
    } finally {
      this.#idle = setTimeout(() => this.end(), this.#limits.idleMs).unref();
    }
  }

  #exchange(job: BuildJob): Promise<BuildAnswer> {
    const child = this.#process;
    const { limitMs } = this.#limits;
    return new Promise((resolve) => {
      const settle = (answer: BuildAnswer) => {
        clearTimeout(overrun);
        child.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
        child.channel?.unref();
        resolve(answer);
      };
      const onMessage = (message: unknown) => settle(BuildAnswer.parse(message));
      const onEnd = () =>
        settle({
          kind: 'failed',
          message: 'the build process ended before the build was done; it probably ran out of memory',
        });
      const overrun = setTimeout(() => {
        this.end();
        settle({ kind: 'failed', message: `the build took longer than ${limitMs / 1000} seconds` });
      }, limitMs);
      child.channel?.ref();
      child.once('message', onMessage).once('exit', onEnd).once('error', onEnd);
      child.send(job, (error) => {
        if (error) settle({ kind: 'broken', message: error.message });
      });
    });
  }

  end(): void {
    clearTimeout(this.#idle);
    this.isAlive = false;
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#process.kill('SIGKILL');
    }
    // Remove the files now, because this process may end before the child's exit event.
    this.#removeFiles();
  }

  #removeFiles(): void {
    removeTree(this.workDirectory);
  }
}
