import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BuilderProcess, type OwnerDirectories, type Programs } from './builder-process.ts';
import type { BuildResponse, BuildJob } from './builder-settings.ts';

/** Concurrent builds of one user; more wait. */
const CONCURRENT_BUILDS = 2;
/** A build that waits holds its files in memory, up to 1 MB. */
const MAX_WAITING = 200;
/** A repository of a hundred components, which a CI publishes at once. */
const MAX_WAITING_OF_USER = 100;
/** Beyond three quarters of all, only users wait who have less than a quarter themselves. */
const SHARED_FROM = (MAX_WAITING * 3) / 4;
const SHARE_OF_USER = MAX_WAITING / 4;

interface User {
  id: string;
  directories: OwnerDirectories;
  free: BuilderProcess[];
  busy: number;
  waiting: (() => void)[];
}

/** Keeps processes warm. Each serves one user only, because its caches must not be visible to other users. */
export function builderPool(programs: Programs) {
  const users = new Map<string, User>();
  const all = new Set<BuilderProcess>();

  programs.processes.onShortage(() => {
    const idle = [...users.values()].flatMap(({ free }) => free).find(({ isAlive }) => isAlive);
    idle?.end();
    return idle !== undefined;
  });

  let waiting = 0;

  async function acquire(user: User): Promise<BuilderProcess> {
    if (user.busy >= CONCURRENT_BUILDS) {
      waiting += 1;
      await new Promise<void>((resolve) => user.waiting.push(resolve));
      waiting -= 1;
    }
    user.busy += 1;
    user.free = user.free.filter(({ isAlive }) => isAlive);
    return user.free.pop() ?? start(user);
  }

  /** The directories of a user live as long as this pool. Nothing in them is shared with another user. */
  function directoriesOf(): OwnerDirectories {
    const root = programs.processes.directory('tributary-builder-');
    const made = { root, packages: join(root, 'packages'), installedSets: join(root, 'installed-sets') };
    for (const path of [made.packages, made.installedSets]) mkdirSync(path, { mode: 0o700 });
    return made;
  }

  function start({ id, directories }: User): BuilderProcess {
    for (const builder of all) if (!builder.isAlive) all.delete(builder);
    const started = new BuilderProcess(programs, id, directories);
    all.add(started);
    return started;
  }

  function release(user: User, builder: BuilderProcess): void {
    user.busy -= 1;
    if (builder.isAlive) user.free.push(builder);
    user.waiting.shift()?.();
  }

  /**
   * Calls `use` with the response before the process starts another build, which overwrites the bundle in its
   * directory.
   */
  async function build<T>(
    ownerId: string,
    job: (directories: OwnerDirectories & { work: string }) => BuildJob,
    use: (response: BuildResponse, workDirectory: string) => Promise<T>,
  ): Promise<T> {
    const user = users.get(ownerId) ?? {
      id: ownerId,
      directories: directoriesOf(),
      free: [],
      busy: 0,
      waiting: [],
    };
    users.set(ownerId, user);
    const mustWait = user.busy >= CONCURRENT_BUILDS;
    const most = waiting >= SHARED_FROM ? SHARE_OF_USER : MAX_WAITING_OF_USER;
    const isOwn = user.waiting.length >= most;
    if (mustWait && (isOwn || waiting >= MAX_WAITING)) return use({ kind: 'queue_full', isOwn }, user.directories.root);
    const builder = await acquire(user);
    try {
      const work = builder.workDirectory;
      return await use(await builder.build(job({ ...user.directories, work })), work);
    } finally {
      release(user, builder);
    }
  }

  return {
    build,
    /** Ends all processes and removes their directories. */
    close(): void {
      for (const builder of all) builder.end();
      for (const { directories } of users.values()) programs.processes.remove(directories.root);
    },
    /** Directories that no process can change at the moment. */
    unused: () =>
      [...users.values()]
        .filter(({ busy, free }) => busy === 0 && !free.some(({ isAlive }) => isAlive))
        .map(({ directories }) => directories),
  };
}
