import type { Level } from '../../../infra/embedded/isolation/levels.ts';
import { type Attack, REACHED, type WallTarget } from './attack.ts';

/** An attempt without Node's permission model and without the guards, as native code could make it. */
export interface WallAttack extends Omit<Attack, 'publicOnly' | 'outcome'> {
  outcome: Readonly<Record<Level, string>>;
  /**
   * The response also depends on the machine, and on the user of the service, where the level does not prevent the
   * attempt.
   */
  dependsOnMachine?: boolean;
  /** Machine code of x86-64. */
  native?: boolean;
  /** Gives the final answer where the process itself cannot know it. */
  outside?: (outcome: string, machine: Machine) => Promise<string>;
  /** The same after the end of the process. */
  afterwards?: (outcome: string, machine: Machine) => Promise<string>;
}

/** The machine as the test sees it. */
interface Machine {
  target: WallTarget;
  /** Names of the servers that got something. */
  reached: readonly string[];
}

/** A value of any kind means that the attempt succeeded. */
export const reads = (path: string) => `(fs.readFileSync(${path}), 'reached')`;
export const opens = (path: string, flags: string) => `(fs.closeSync(fs.openSync(${path}, '${flags}')), 'reached')`;
const writes = (path: string) => `(fs.writeFileSync(${path}, 'x'), fs.rmSync(${path}), 'reached')`;
/** Opens one of the files for writing. */
const any = (paths: readonly string[]) =>
  `(${JSON.stringify(paths)}.some((path) => { try { fs.closeSync(fs.openSync(path, 'r+')); return true; } catch { return false; } }) ? 'reached' : 'refused')`;

/** An attempt that succeeds at level `process`. */
export const outcomes = (sandbox: string, user: string, process = REACHED) => ({ sandbox, user, process });

export const wallFiles: readonly WallAttack[] = [
  {
    attempt: 'read a file of the operator',
    code: reads('target.canary'),
    outcome: outcomes('ENOENT', 'EACCES'),
  },
  {
    attempt: 'read a file that every user may read (`/etc/passwd`)',
    code: reads(`'/etc/passwd'`),
    outcome: outcomes('ENOENT', REACHED),
  },
  {
    attempt: "read another source's files",
    code: reads('target.neighbour'),
    outcome: outcomes('ENOENT', 'EACCES'),
  },
  {
    attempt: 'write into the data directory',
    code: writes(`target.folder + '/written'`),
    outcome: outcomes('ENOENT', 'EACCES'),
  },
  {
    attempt: 'change its own program',
    code: `(() => { try { fs.appendFileSync(__filename, ''); return 'reached'; } catch { return 'refused'; } })()`,
    outcome: outcomes('refused', 'refused'),
  },
  {
    attempt: 'write to the root',
    code: writes(`'/written'`),
    outcome: outcomes('EROFS', 'EACCES'),
    dependsOnMachine: true,
  },
  {
    attempt: 'write to `/tmp`',
    code: writes(`'/tmp/tributary-written-' + process.pid`),
    outcome: outcomes('EROFS', REACHED),
    dependsOnMachine: true,
  },
  {
    attempt: 'write to `/dev/shm`',
    code: writes(`'/dev/shm/tributary-written-' + process.pid`),
    outcome: outcomes('EROFS', REACHED),
    dependsOnMachine: true,
  },
  {
    attempt: 'open a device of the machine',
    code: any(['/dev/mem', '/dev/kvm', '/dev/console', '/dev/loop-control', '/dev/vda', '/dev/sda']),
    outcome: outcomes('refused', 'refused'),
    dependsOnMachine: true,
  },
  {
    attempt: 'open a device that every user of most machines may open (`/dev/fuse`)',
    code: opens(`'/dev/fuse'`, 'r+'),
    outcome: outcomes('ENOENT', REACHED),
    dependsOnMachine: true,
  },
  {
    attempt: 'change the mode of a device',
    code: `(fs.chmodSync('/dev/null', fs.statSync('/dev/null').mode), 'reached')`,
    outcome: outcomes('EPERM', 'EPERM'),
    dependsOnMachine: true,
  },
  {
    attempt: 'change the mode of an inherited descriptor',
    code: `([0, 1].some((fd) => { try { fs.fchmodSync(fd, fs.fstatSync(fd).mode); return true; } catch { return false; } }) ? 'reached' : 'refused')`,
    outcome: outcomes('refused', 'refused'),
    dependsOnMachine: true,
  },
  {
    attempt: 'change settings of the kernel',
    code: any([
      ...['core_pattern', 'modprobe', 'hotplug', 'printk', 'sysrq', 'pid_max'].map(
        (name) => `/proc/sys/kernel/${name}`,
      ),
      ...['/proc/sys/vm/overcommit_memory', '/proc/sys/fs/file-max', '/proc/sys/user/max_user_namespaces'],
      ...[
        '/proc/sysrq-trigger',
        '/proc/mtrr',
        '/proc/irq/default_smp_affinity',
        '/proc/1/oom_score_adj',
        '/proc/1/mem',
      ],
      ...['/sys/kernel/uevent_helper', '/sys/fs/cgroup/cgroup.procs', '/sys/kernel/mm/transparent_hugepage/enabled'],
    ]),
    outcome: outcomes('refused', 'refused'),
    dependsOnMachine: true,
  },
];
