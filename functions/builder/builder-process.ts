import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { processDirectory } from './own-directory.ts';
import { BuildAnswer, type BuildJob } from './settings.ts';

/** The function itself has 120 s. */
const BUILD_MS = 110_000;
const IDLE_MS = 30_000;
/** Of JavaScript; archives and the compiler are outside of it. */
const HEAP_MB = 1_024;

interface Programs {
  program: string;
  /** Where each process gets a directory. */
  directory: string;
  /** All of their environment. */
  env: Record<string, string>;
}

/** One process that builds for one user, one build at a time. */
class BuilderProcess {
  readonly #process: ChildProcess;
  readonly workDirectory: string;
  isBusy = false;
  isAlive = true;
  #idle: NodeJS.Timeout | undefined;

  constructor({ program, directory, env }: Programs) {
    this.workDirectory = processDirectory(directory);
    this.#process = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, program], {
      cwd: this.workDirectory,
      env,
      // A group of its own, so that what it started can be ended with it and a signal at the terminal is the service's alone.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#process.once('exit', () => {
      this.isAlive = false;
      rmSync(this.workDirectory, { recursive: true, force: true });
    });
    this.#process.unref();
    this.#process.channel?.unref();
  }

  async build(job: BuildJob): Promise<BuildAnswer> {
    clearTimeout(this.#idle);
    try {
      return await this.#exchange(job);
    } finally {
      this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  #exchange(job: BuildJob): Promise<BuildAnswer> {
    const child = this.#process;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(overrun);
        child.off('message', onMessage).off('exit', onExit).off('error', onExit);
        child.channel?.unref();
        finish();
      };
      const overrun = setTimeout(() => {
        this.end();
        const message = `the build took longer than ${BUILD_MS / 1000} seconds`;
        settle(() => resolve({ kind: 'failed', message }));
      }, BUILD_MS);
      const onMessage = (message: unknown) => {
        const answer = BuildAnswer.parse(message);
        settle(() => resolve(answer));
      };
      const onExit = () => settle(() => resolve({ kind: 'failed', message: 'the build ran out of memory' }));
      child.channel?.ref();
      child.on('message', onMessage).once('exit', onExit).once('error', onExit);
      child.send(job, (error) => {
        if (error) settle(() => reject(error));
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
  }
}

/** Processes kept warm, each serving one user only. */
export function builderProcesses(programs: Programs) {
  const kept = new Map<string, BuilderProcess[]>();

  function take(ownerId: string): BuilderProcess {
    const alive = (kept.get(ownerId) ?? []).filter((one) => one.isAlive);
    const free = alive.find((one) => !one.isBusy) ?? new BuilderProcess(programs);
    kept.set(ownerId, [...new Set([...alive, free])]);
    return free;
  }

  return {
    /** `use` is called before the process takes another build: what it made lies in its directory until then. */
    async build<T>(
      ownerId: string,
      job: (workDirectory: string) => BuildJob,
      use: (answer: BuildAnswer) => Promise<T>,
    ): Promise<T> {
      const one = take(ownerId);
      one.isBusy = true;
      try {
        return await use(await one.build(job(one.workDirectory)));
      } finally {
        one.isBusy = false;
      }
    },
  };
}
