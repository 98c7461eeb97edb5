import type { Level } from '../../infra/embedded/isolation/levels.ts';
import { systemCall } from './system-call.ts';
import type { Attack, WallTarget } from './attack.ts';

/** An attempt without Node's permission model and without the guards, as native code could make it. */
export interface WallAttack extends Omit<Attack, 'publicOnly' | 'answer'> {
  answer: Readonly<Record<Level, string>>;
  /** The answer also depends on the machine where the level does not prevent the attempt. */
  dependsOnMachine?: boolean;
  /** Machine code of x86-64. */
  native?: boolean;
  /** Gives the final answer where the process itself cannot know it. */
  outside?: (answer: string, machine: Machine) => Promise<string>;
  /** The same after the end of the process. */
  afterwards?: (answer: string, machine: Machine) => Promise<string>;
}

/** The machine as the test sees it. */
interface Machine {
  target: WallTarget;
  /** Names of the servers that got something. */
  reached: readonly string[];
}

/** A system call of x86-64, and its argument. */
const UNSHARE = 272;
const NEW_USER = 0x1000_0000;
const NATIVE = { native: true, dependsOnMachine: true };

export const REACHED = 'reached';

/** A value of any kind means that the attempt succeeded. */
const reads = (path: string) => `(fs.readFileSync(${path}), 'reached')`;
const opens = (path: string, flags: string) => `(fs.closeSync(fs.openSync(${path}, '${flags}')), 'reached')`;
const writes = (path: string) => `(fs.writeFileSync(${path}, 'x'), fs.rmSync(${path}), 'reached')`;
/** Opens one of the files for writing. */
const any = (paths: readonly string[]) =>
  `(${JSON.stringify(paths)}.some((path) => { try { fs.closeSync(fs.openSync(path, 'r+')); return true; } catch { return false; } }) ? 'reached' : 'refused')`;
const sees = (text: string) =>
  `(fs.readdirSync('/proc').some((id) => { try { return fs.readFileSync('/proc/' + id + '/cmdline', 'utf8').includes(${text}); } catch { return false; } }) ? 'reached' : 'hidden')`;

const answers = (sandbox: string, user: string, process = REACHED) => ({ sandbox, user, process });

export const wallFiles: readonly WallAttack[] = [
  {
    attempt: 'read a file of the operator',
    code: reads('target.canary'),
    answer: answers('ENOENT', 'EACCES'),
  },
  {
    attempt: 'read a file that every user may read (`/etc/passwd`)',
    code: reads(`'/etc/passwd'`),
    answer: answers('ENOENT', REACHED),
  },
  {
    attempt: "read another source's files",
    code: reads('target.neighbour'),
    answer: answers('ENOENT', 'EACCES'),
  },
  {
    attempt: 'write into the data directory',
    code: writes(`target.folder + '/written'`),
    answer: answers('ENOENT', 'EACCES'),
  },
  {
    attempt: 'change its own program',
    code: `(() => { try { fs.appendFileSync(__filename, ''); return 'reached'; } catch { return 'refused'; } })()`,
    answer: answers('refused', 'refused'),
  },
  { attempt: 'write to the root', code: writes(`'/written'`), answer: answers('EROFS', 'EACCES') },
  { attempt: 'write to `/tmp`', code: writes(`'/tmp/tributary-written'`), answer: answers('EROFS', REACHED) },
  {
    attempt: 'write to `/dev/shm`',
    code: writes(`'/dev/shm/tributary-written'`),
    answer: answers('EROFS', REACHED),
    dependsOnMachine: true,
  },
  {
    attempt: 'open a device of the machine',
    code: any([
      '/dev/mem',
      '/dev/kvm',
      '/dev/console',
      '/dev/fuse',
      '/dev/loop-control',
      '/dev/vda',
      '/dev/sda',
    ]),
    answer: answers('refused', 'refused'),
    dependsOnMachine: true,
  },
  {
    attempt: 'change the mode of a device',
    code: `(fs.chmodSync('/dev/null', fs.statSync('/dev/null').mode), 'reached')`,
    answer: answers('EPERM', 'EPERM'),
    dependsOnMachine: true,
  },
  {
    attempt: 'change the mode of an inherited descriptor',
    code: `([0, 1].some((fd) => { try { fs.fchmodSync(fd, fs.fstatSync(fd).mode); return true; } catch { return false; } }) ? 'reached' : 'refused')`,
    answer: answers('refused', 'refused'),
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
      ...[
        '/sys/kernel/uevent_helper',
        '/sys/fs/cgroup/cgroup.procs',
        '/sys/kernel/mm/transparent_hugepage/enabled',
      ],
    ]),
    answer: answers('refused', 'refused'),
    dependsOnMachine: true,
  },
];

export const wallProcesses: readonly WallAttack[] = [
  {
    attempt: 'see the processes of the service',
    code: sees(`'spawner.cjs'`),
    answer: answers('hidden', REACHED),
  },
  {
    attempt: 'read the environment of the service',
    code: reads(`'/proc/' + target.service + '/environ'`),
    answer: answers('ENOENT', 'EACCES'),
  },
  {
    attempt: 'read the memory of the service (as `ptrace` does)',
    code: opens(`'/proc/' + target.service + '/mem'`, 'r'),
    answer: answers('ENOENT', 'EACCES'),
    dependsOnMachine: true,
  },
  {
    attempt: 'write the memory of the spawner',
    code: opens(`'/proc/' + target.spawner + '/mem'`, 'r+'),
    answer: answers('ENOENT', 'EACCES'),
    dependsOnMachine: true,
  },
  {
    attempt: 'read the environment of another source',
    code: reads(`'/proc/' + target.other + '/environ'`),
    answer: answers('ENOENT', 'EACCES'),
  },
  {
    attempt: 'use a descriptor of the service',
    code: `(fs.readdirSync('/proc/' + target.service + '/fd'), 'reached')`,
    answer: answers('ENOENT', 'EACCES'),
  },
  {
    attempt: 'reach files through the root of the first process',
    code: reads(`'/proc/1/root' + target.canary`),
    answer: answers('ENOENT', 'EACCES'),
    dependsOnMachine: true,
  },
  {
    attempt: 'signal the service',
    code: `(process.kill(target.service, 0), 'reached')`,
    answer: answers('ESRCH', 'EPERM'),
  },
  {
    attempt: 'signal the spawner',
    code: `(process.kill(target.spawner, 0), 'reached')`,
    answer: answers('ESRCH', 'EPERM'),
  },
  {
    attempt: 'signal the process of another source',
    code: `(process.kill(target.other, 0), 'reached')`,
    answer: answers('ESRCH', 'EPERM'),
  },
  {
    attempt: 'change the priority of the service',
    code: `(os.setPriority(target.service, os.getPriority(target.service)), 'reached')`,
    answer: answers('ESRCH', 'EPERM'),
  },
  {
    attempt: 'raise its own priority',
    code: `(os.setPriority(0, -1), os.setPriority(0, 0), 'reached')`,
    answer: answers('EACCES', 'EACCES'),
    dependsOnMachine: true,
  },
  {
    attempt: 'become root',
    code: `(process.setuid(0), 'reached')`,
    answer: answers('EINVAL', 'EPERM'),
    dependsOnMachine: true,
  },
  {
    attempt: 'use a capability, its own or that of a process of its user',
    code: `(() => {
      const status = (id) => { try { return fs.readFileSync('/proc/' + id + '/status', 'utf8'); } catch { return ''; } };
      const user = (text) => text.match(/^Uid:.*$/m)?.[0];
      const own = user(status('self'));
      return fs.readdirSync('/proc').filter(Number).map(status).some((text) => user(text) === own && /^Cap(Eff|Prm):\\s*0*[1-9a-f]/m.test(text)) ? 'reached' : 'none';
    })()`,
    answer: answers('none', 'none'),
    dependsOnMachine: true,
  },
  {
    attempt: 'gain privileges by a program with set user id',
    code: `(/NoNewPrivs:\\s*1/.test(fs.readFileSync('/proc/self/status', 'utf8')) ? 'none' : 'reached')`,
    answer: answers('none', REACHED),
    dependsOnMachine: true,
  },
  {
    attempt: 'start a program of the machine',
    code: `(child.execFileSync('/bin/sh', ['-c', 'true'], { stdio: 'ignore' }), 'reached')`,
    answer: answers('ENOENT', REACHED),
  },
  {
    attempt: 'make a user namespace',
    code: systemCall(UNSHARE, NEW_USER),
    answer: answers('ENOSPC', REACHED),
    ...NATIVE,
  },
  {
    attempt: 'write to the terminal of the operator',
    code: opens(`'/dev/tty'`, 'r+'),
    answer: answers('ENXIO', 'ENXIO', 'ENXIO'),
  },
  {
    attempt: 'find secrets of the service in its own environment',
    code: `(fs.readFileSync('/proc/self/environ', 'utf8').includes('canary') ? 'reached' : 'none')`,
    answer: answers('none', 'none', 'none'),
  },
];
