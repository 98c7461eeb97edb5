import { spawn } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A file system of its own, of a few megabytes, that a test can fill. Only root can make one; it ends with the test's
 * process.
 */
export interface SmallDisk {
  /** Its path for this process. */
  readonly path: string;
  /** Its path for a program that `within` starts. */
  readonly innerPath: string;
  readonly within: readonly string[];
  /** Leaves so many bytes free. */
  fill(leaveBytes?: number): void;
  /** Frees what `fill` took. */
  free(): void;
  stop(): void;
}

/** Undefined where no file system can be mounted. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  // The shell ends when this process closes its input, also when it dies.
  const mounted = `mount -t tmpfs -o size=${megabytes}m none /mnt && echo ready && read -r _`;
  const shell = spawn('unshare', ['--mount', 'sh', '-c', mounted], { stdio: ['pipe', 'pipe', 'ignore'] });
  const isMounted = await new Promise<boolean>((resolve) => {
    shell.stdout.once('data', () => {
      resolve(true);
    });
    for (const end of ['exit', 'error'] as const)
      shell.once(end, () => {
        resolve(false);
      });
  });
  if (!isMounted) return undefined;
  const path = `/proc/${shell.pid}/root/mnt`;
  const ballast = join(path, 'ballast');
  return {
    path,
    innerPath: '/mnt',
    within: ['nsenter', `--mount=/proc/${shell.pid}/ns/mnt`, 'sh', '-c', 'cd "$0" && exec "$@"', process.cwd()],
    fill(leaveBytes = 0) {
      const { bavail, bsize } = statfsSync(path);
      const file = openSync(ballast, 'a');
      const block = Buffer.alloc(bsize);
      try {
        for (let left = bavail - Math.ceil(leaveBytes / bsize); left > 0; left -= 1) writeSync(file, block);
      } catch (error) {
        // The service wrote meanwhile: the disk is full all the same.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        closeSync(file);
      }
    },
    free() {
      // Also while the file system is full.
      const file = openSync(ballast, 'a');
      ftruncateSync(file, 0);
      closeSync(file);
      rmSync(ballast);
    },
    stop() {
      shell.stdin.end();
    },
  };
}
