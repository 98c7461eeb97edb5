import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { clearUser, clearUserNow } from '../../../../../infra/embedded/isolation/clear-user.ts';
import { USERS } from '../../../../../infra/embedded/isolation/level.ts';
import { Spawner } from '../../../../../infra/embedded/isolation/spawner.ts';
import { hasProcesses } from '../../../../../infra/embedded/isolation/user-processes.ts';
import { buildProgram } from '../../../../../infra/embedded/programs.ts';
import type { ProcessOptions } from '../../../../../shared/runtime/processes.ts';
import { until } from '../../../../support/until.ts';

/** Operating-system users of components are ended and their files removed by processes of their own. */

const isRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'clear-user-'));
chmodSync(folder, 0o711);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let user = USERS.last - (process.pid % 1000);

/** A directory of a new user. */
function ownDirectory(): string {
  user -= 1;
  const path = mkdtempSync(join(folder, 'own-'));
  chownSync(path, user, user);
  return path;
}

/** Runs a script of the shell as the user. It ends by itself, or with the file `end` in its directory. */
function runAs(script: string, cwd: string, ...args: string[]): ChildProcess {
  const started = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
    uid: user,
    gid: user,
    cwd,
    stdio: 'ignore',
    detached: true,
  });
  onTestFinished(() => writeFileSync(join(cwd, 'end'), ''));
  return started;
}

const beats = (directory: string): string => {
  try {
    return readFileSync(join(directory, 'beat'), 'utf8');
  } catch {
    return '';
  }
};

/** The command lines of all processes of this machine. */
const commandLines = (): string[] =>
  readdirSync('/proc')
    .filter((each) => /^\d+$/.test(each))
    .map((each) => {
      try {
        return readFileSync(`/proc/${each}/cmdline`, 'utf8');
      } catch {
        // It has ended.
        return '';
      }
    });

/** Each process starts the next one and ends. */
const LINK = 'echo $2 > beat; [ $2 -ge 20000 ] || [ -e end ] || sh -c "$1" sh "$1" $(($2 + 1)) &';

describe.runIf(isRoot)('a user is cleared', () => {
  test.each([
    ['at once', clearUser],
    ['at the end of the service', (clearing: Parameters<typeof clearUserNow>[0]) => clearUserNow(clearing)],
  ])('%s: a chain of processes that start each other ends', async (_, clear) => {
    const directory = ownDirectory();
    runAs(LINK, directory, LINK, '1');
    await until('the chain runs', () => Number(beats(directory)) > 20);

    expect(await clear({ user, ends: true, directories: [] })).toBe(true);

    const last = beats(directory);
    expect(hasProcesses(user)).toBe(false);
    await setTimeout(200);
    expect(beats(directory)).toBe(last);
  });

  test('although its processes end every other process of it, again and again', async () => {
    const directory = ownDirectory();
    // Only as this user: the signal reaches each process that its sender may signal.
    runAs(
      `[ "$(id -u)" = ${user} ] || exit 1; n=0; until [ -e end ] || [ $n -ge 1000000 ]; do n=$((n + 1)); kill -9 -1; done`,
      directory,
    );
    await until('it runs', () => hasProcesses(user));

    expect(await clearUser({ user, ends: true, directories: [] })).toBe(true);
    expect(hasProcesses(user)).toBe(false);
  });

  test('its processes go on while another process of its owner runs', async () => {
    const directory = ownDirectory();
    const other = runAs(`until [ -e end ]; do sleep 0.05; done`, directory);
    await until('it runs', () => hasProcesses(user));

    expect(await clearUser({ user, ends: false, directories: [] })).toBe(true);
    expect([other.exitCode, other.signalCode, hasProcesses(user)]).toEqual([null, null, true]);
  });

  test.each([
    ['at once', clearUser],
    ['at the end of the service', (clearing: Parameters<typeof clearUserNow>[0]) => clearUserNow(clearing)],
  ])('%s: an empty directory is removed without a process of the user', async (_, clear) => {
    const directory = ownDirectory();
    const before = process.getActiveResourcesInfo().filter((each) => each === 'ProcessWrap').length;

    const cleared = clear({ user, ends: false, directories: [directory] });

    expect(process.getActiveResourcesInfo().filter((each) => each === 'ProcessWrap')).toHaveLength(before);
    // The user itself could only empty it: the directory around it is the service's.
    expect([await cleared, existsSync(directory)]).toEqual([true, false]);
  });

  test('a link in the place of an empty directory leads to no other', async () => {
    const other = ownDirectory();
    const link = join(folder, `link-${user}`);
    symlinkSync(other, link);

    expect(await clearUser({ user, ends: false, directories: [link] })).toBe(true);
    expect(existsSync(other)).toBe(true);
  });

  test('no other user than one of components is', async () => {
    for (const wrong of [0, 1000, USERS.first - 1, USERS.last + 1, Number.NaN])
      await expect(clearUser({ user: wrong, ends: true, directories: [] })).rejects.toThrow(
        'not an operating-system user of components',
      );
  });
});

describe.runIf(isRoot)('the files of a process', () => {
  const program = join(folder, 'spawner.cjs');
  beforeAll(() => buildProgram('spawner', program));

  async function started(level: 'user' | 'sandbox', code: string) {
    const spawner = new Spawner(program, { asked: level });
    onTestFinished(() => spawner.close());
    // The spawner removes it at its end, too.
    const directory = spawner.directory('clear-user-process-');
    const temporary = join(directory, 'process');
    const tmp = join(temporary, 'tmp');
    mkdirSync(tmp, { recursive: true });
    const script = join(directory, 'program.cjs');
    writeFileSync(script, code);
    const options: ProcessOptions = {
      owner: temporary,
      args: [script],
      cwd: tmp,
      env: {},
      readable: [script],
      memoryMb: 1_000,
      writable: [tmp],
      network: { allowPrivate: false, allowList: [], exceptions: [] },
      temporary,
    };
    return { spawner, options, temporary, tmp };
  }

  test.each(['user', 'sandbox'] as const)('%s: are removed, also those that it closed to itself', async (level) => {
    const { spawner, options, temporary } = await started(
      level,
      `const fs = require('fs'); fs.mkdirSync('a/b/c', { recursive: true }); fs.writeFileSync('a/b/c/file', 'x'); fs.writeFileSync('.hidden', 'x'); fs.symlinkSync('/etc', 'link'); fs.chmodSync('a/b', 0); fs.chmodSync('a', 0);`,
    );
    const { ended } = await spawner.start(options);
    expect(await ended).toEqual({ code: 0, signal: null });

    await until('they are gone', () => !existsSync(temporary));
  });

  test.each(['user', 'sandbox'] as const)('%s: are removed by its own user, never by root', async (level) => {
    const { spawner, options, temporary, tmp } = await started(level, `setInterval(() => {}, 1000);`);
    const { kill, ended } = await spawner.start(options);
    // The user may not remove this folder: root would be led elsewhere.
    const precious = join(tmp, 'elsewhere');
    mkdirSync(precious, { mode: 0o755 });
    writeFileSync(join(precious, 'file'), 'of root');
    writeFileSync(join(tmp, 'own'), 'x');
    symlinkSync(precious, join(tmp, 'link'));
    kill();
    await ended;

    await until('its own are gone', () => !existsSync(join(tmp, 'own')));
    await spawner.close();
    expect(readFileSync(join(precious, 'file'), 'utf8')).toBe('of root');
    expect(readdirSync(tmp)).toEqual(['elsewhere']);
    rmSync(dirname(temporary), { recursive: true });
  });

  test('a sandbox that is killed while it starts leaves no process', async () => {
    const { spawner, options, temporary } = await started('sandbox', `setInterval(() => {}, 1000);`);
    const [script = ''] = options.args;
    // Killed from 2 to 13 ms after the request, one in 27 left a process.
    for (let count = 0; count < 88; count += 1) {
      const own = `${temporary}-${count}`;
      const cwd = join(own, 'tmp');
      mkdirSync(cwd, { recursive: true });
      const { kill, ended } = await spawner.start({ ...options, owner: own, cwd, writable: [cwd], temporary: own });
      const killedAt = performance.now() + 2 + (count % 44) / 4;
      while (performance.now() < killedAt);
      await setImmediate();
      kill();
      await ended;
    }

    await until('no process is left', () => commandLines().every((line) => !line.includes(script)));
  });

  test.each(['user', 'sandbox'] as const)(
    '%s: no process can replace the directories that root enters',
    async (level) => {
      const { spawner, options, temporary } = await started(
        level,
        `const fs = require('fs'); let outcome; try { fs.renameSync(process.cwd(), process.cwd() + '-moved'); outcome = 'moved'; } catch ({ code }) { outcome = code; } fs.writeSync(4, outcome);`,
      );
      const { lines, ended } = await spawner.start(options);
      const response = await new Promise((resolve) => lines.once('data', (data) => resolve(String(data))));
      await ended;

      expect(response).toMatch(/^(?:EACCES|EBUSY|EROFS|EPERM)$/);
      await until('it is gone', () => !existsSync(temporary));
    },
  );

  test('the mode of a directory that the service did not make stays', async () => {
    const { spawner, options } = await started('user', '');
    const shared = mkdtempSync(join(folder, 'shared-'));
    chmodSync(shared, 0o1777);
    const temporary = join(shared, 'process');
    const tmp = join(temporary, 'tmp');
    mkdirSync(tmp, { recursive: true });
    const script = join(shared, 'program.cjs');
    writeFileSync(script, '');
    const { ended } = await spawner.start({
      ...options,
      ...{ owner: temporary, args: [script], cwd: tmp, readable: [script], writable: [tmp], temporary },
    });

    expect(await ended).toEqual({ code: 0, signal: null });
    expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  });
});
