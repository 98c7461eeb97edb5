import { BuilderProcess, type Programs } from './builder-process.ts';
import type { BuildAnswer, BuildJob } from './builder-settings.ts';

/** Concurrent builds of one user; more wait. */
const CONCURRENT_BUILDS = 2;

interface User {
  free: BuilderProcess[];
  busy: number;
  waiting: (() => void)[];
}

/** Keeps processes warm. Each serves one user only, because its caches must not be visible to other users. */
export function builderPool(programs: Programs) {
  const users = new Map<string, User>();
  const all = new Set<BuilderProcess>();

  async function acquire(user: User): Promise<BuilderProcess> {
    if (user.busy >= CONCURRENT_BUILDS) await new Promise<void>((resolve) => user.waiting.push(resolve));
    user.busy += 1;
    user.free = user.free.filter(({ isAlive }) => isAlive);
    return user.free.pop() ?? start();
  }

  function start(): BuilderProcess {
    for (const builder of all) if (!builder.isAlive) all.delete(builder);
    const started = new BuilderProcess(programs);
    all.add(started);
    return started;
  }

  function release(user: User, builder: BuilderProcess): void {
    user.busy -= 1;
    if (builder.isAlive) user.free.push(builder);
    user.waiting.shift()?.();
  }

  /** Calls `use` with the answer before the process starts another build, which overwrites the bundle in its directory. */
  async function build<T>(
    ownerId: string,
    job: (workDirectory: string) => BuildJob,
    use: (answer: BuildAnswer) => Promise<T>,
  ): Promise<T> {
    const user = users.get(ownerId) ?? { free: [], busy: 0, waiting: [] };
    users.set(ownerId, user);
    const builder = await acquire(user);
    try {
      return await use(await builder.build(job(builder.workDirectory)));
    } finally {
      release(user, builder);
    }
  }

  return {
    build,
    /** Ends all processes and removes their directories. */
    close(): void {
      for (const builder of all) builder.end();
    },
  };
}
