import { systemCall } from './system-call.ts';
import { REACHED } from './attack.ts';
import { outcomes, opens, reads, type WallAttack } from './wall.ts';

/** A system call of x86-64, and its argument. */
const UNSHARE = 272;
const NEW_USER = 0x1000_0000;
const NATIVE = { native: true, dependsOnMachine: true };

const sees = (text: string) =>
  `(fs.readdirSync('/proc').some((id) => { try { return fs.readFileSync('/proc/' + id + '/cmdline', 'utf8').includes(${text}); } catch { return false; } }) ? 'reached' : 'hidden')`;

export const wallProcesses: readonly WallAttack[] = [
  {
    attempt: 'see the processes of the service',
    code: sees(`'spawner.cjs'`),
    outcome: outcomes('hidden', REACHED),
  },
  {
    attempt: 'read the environment of the service',
    code: reads(`'/proc/' + target.service + '/environ'`),
    outcome: outcomes('ENOENT', 'EACCES'),
  },
  {
    attempt: 'read the memory of the service (as `ptrace` does)',
    code: opens(`'/proc/' + target.service + '/mem'`, 'r'),
    outcome: outcomes('ENOENT', 'EACCES'),
    dependsOnMachine: true,
  },
  {
    attempt: 'write the memory of the spawner',
    code: opens(`'/proc/' + target.spawner + '/mem'`, 'r+'),
    outcome: outcomes('ENOENT', 'EACCES'),
    dependsOnMachine: true,
  },
  {
    attempt: 'read the environment of another source',
    code: reads(`'/proc/' + target.other + '/environ'`),
    outcome: outcomes('ENOENT', 'EACCES'),
  },
  {
    attempt: 'use a descriptor of the service',
    code: `(fs.readdirSync('/proc/' + target.service + '/fd'), 'reached')`,
    outcome: outcomes('ENOENT', 'EACCES'),
  },
  {
    attempt: 'reach files through the root of the first process',
    code: reads(`'/proc/1/root' + target.canary`),
    outcome: outcomes('ENOENT', 'EACCES'),
    dependsOnMachine: true,
  },
  {
    attempt: 'signal the service',
    code: `(process.kill(target.service, 0), 'reached')`,
    outcome: outcomes('ESRCH', 'EPERM'),
  },
  {
    attempt: 'signal the spawner',
    code: `(process.kill(target.spawner, 0), 'reached')`,
    outcome: outcomes('ESRCH', 'EPERM'),
  },
  {
    attempt: 'signal the process of another source',
    code: `(process.kill(target.other, 0), 'reached')`,
    outcome: outcomes('ESRCH', 'EPERM'),
  },
  {
    attempt: 'change the priority of the service',
    code: `(os.setPriority(target.service, os.getPriority(target.service)), 'reached')`,
    outcome: outcomes('ESRCH', 'EPERM'),
  },
  {
    attempt: 'raise its own priority',
    code: `(os.setPriority(0, -1), os.setPriority(0, 0), 'reached')`,
    outcome: outcomes('EACCES', 'EACCES'),
    dependsOnMachine: true,
  },
  {
    attempt: 'become root',
    code: `(process.setuid(0), 'reached')`,
    outcome: outcomes('EINVAL', 'EPERM'),
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
    outcome: outcomes('none', 'none'),
    dependsOnMachine: true,
  },
  {
    attempt: 'gain privileges by a program with set user id',
    code: `(/NoNewPrivs:\\s*1/.test(fs.readFileSync('/proc/self/status', 'utf8')) ? 'none' : 'reached')`,
    outcome: outcomes('none', REACHED),
    dependsOnMachine: true,
  },
  {
    attempt: 'start a program of the machine',
    code: `(child.execFileSync('/bin/sh', ['-c', 'true'], { stdio: 'ignore' }), 'reached')`,
    outcome: outcomes('ENOENT', REACHED),
  },
  {
    attempt: 'see shared memory of the machine',
    code: `(fs.readFileSync('/proc/sysvipc/shm', 'utf8').trim().split('\\n').length > 1 ? 'reached' : 'hidden')`,
    outcome: outcomes('hidden', REACHED),
    dependsOnMachine: true,
  },
  {
    attempt: 'learn the name of the machine',
    code: `(require('os').hostname() === target.hostName ? 'reached' : 'hidden')`,
    outcome: outcomes('hidden', REACHED),
  },
  {
    attempt: 'make a user namespace',
    code: systemCall(UNSHARE, NEW_USER),
    outcome: outcomes('ENOSPC', REACHED),
    ...NATIVE,
  },
  {
    attempt: 'write to the terminal of the operator',
    code: opens(`'/dev/tty'`, 'r+'),
    outcome: outcomes('ENXIO', 'ENXIO', 'ENXIO'),
  },
  {
    attempt: 'find secrets of the service in its own environment',
    code: `(fs.readFileSync('/proc/self/environ', 'utf8').includes('canary') ? 'reached' : 'none')`,
    outcome: outcomes('none', 'none', 'none'),
  },
];
