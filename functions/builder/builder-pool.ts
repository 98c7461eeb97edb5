import { BuilderProcess, type Programs } from './builder-process.ts';
import type { BuildAnswer, BuildJob } from './builder-settings.ts';

/** Builds of one user that run at once; more wait. */
const AT_ONCE = 2;

interface User {
  free: BuilderProcess[];
  busy: number;
  waiting: (() => void)[];
}

/** Processes kept warm, each serving one user only: what one learnt, no other build may see. */
export function builderPool(programs: Programs) {
  const users = new Map<string, User>();
  const all = new Set<BuilderProcess>();

  async function take(user: User): Promise<BuilderProcess> {
    if (user.busy >= AT_ONCE) await new Promise<void>((resolve) => user.waiting.push(resolve));
    user.busy += 1;
    user.free = user.free.filter(({ isAlive }) => isAlive);
    return user.free.pop() ?? start();
  }

  function start(): BuilderProcess {
    for (const one of all) if (!one.isAlive) all.delete(one);
    const started = new BuilderProcess(programs);
    all.add(started);
    return started;
  }

  function giveBack(user: User, one: BuilderProcess): void {
    user.busy -= 1;
    if (one.isAlive) user.free.push(one);
    user.waiting.shift()?.();
  }

  /** `use` is called before the process takes another build: what it made lies in its directory until then. */
  async function build<T>(
    ownerId: string,
    job: (workDirectory: string) => BuildJob,
    use: (answer: BuildAnswer) => Promise<T>,
  ): Promise<T> {
    const user = users.get(ownerId) ?? { free: [], busy: 0, waiting: [] };
    users.set(ownerId, user);
    const one = await take(user);
    try {
      return await use(await one.build(job(one.workDirectory)));
    } finally {
      giveBack(user, one);
    }
  }

  return {
    build,
    /** Ends all processes; none is left, nor anything of theirs. */
    close(): void {
      for (const one of all) one.end();
    },
  };
}
