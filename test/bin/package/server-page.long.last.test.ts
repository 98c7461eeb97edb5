import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { installPackage } from '../../support/install-package.ts';
import { trustRegistry } from '../../support/registry-certificates.ts';
import { commandOf, descendants, type Service, serviceOf, TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';

trustRegistry();

const run = promisify(execFile);
/** The service gets another user, and folders of its own at the paths of the page. */
const isRoot = process.getuid?.() === 0;
const USER = 1000;

const [, unit = ''] = /^```ini\n(.*?)^```/ms.exec(readFileSync('docs/server.md', 'utf8')) ?? [];
const valueOf = (name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? expect.fail(`The unit has no ${name}`);
const variables = Object.fromEntries(
  valueOf('Environment')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

let folder: string;
let paths: Readonly<Record<string, string>>;
beforeAll(async () => {
  if (!isRoot) return;
  folder = mkdtempSync(join(tmpdir(), 'tributary-server-'));
  chmodSync(folder, 0o711);
  const own = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, USER, USER);
    return path;
  };
  const installed = await installPackage(folder);
  paths = {
    '/opt/tributary': installed,
    [`/var/lib/${valueOf('StateDirectory')}`]: own('state'),
    [valueOf('ReadWritePaths')]: own('backups'),
  };
});
afterAll(() => {
  if (isRoot) rmSync(folder, { recursive: true, force: true });
});

/** A command of the unit's user, in the unit's view of the machine: only its folders and /tmp can be written. */
function startInUnit(command: readonly string[], env: Record<string, string> = {}) {
  const [program = '', state = '', backups = ''] = Object.keys(paths);
  const args = [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--unshare-pid', '--proc', '/proc', '--die-with-parent'],
    ...['/tmp', '/opt', '/var/lib', '/var/backups', '/home'].flatMap((path) => ['--tmpfs', path]),
    ...['--ro-bind', paths[program] ?? '', program],
    ...[state, backups].flatMap((path) => ['--bind', paths[path] ?? '', path]),
    ...['--chdir', '/', ...command],
  ];
  return spawn('bwrap', args, {
    uid: USER,
    gid: USER,
    cwd: '/',
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...variables, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function outputOf(command: readonly string[]): Promise<string> {
  const child = startInUnit(command);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return `${code} ${text}`;
}

const start = async (): Promise<Service> => {
  const [port, ingressPort] = [String(await freePort()), String(await freePort())];
  const settings = { API_KEY: TEST_KEY, PORT: port, INGRESS_PORT: ingressPort };
  return serviceOf(startInUnit(valueOf('ExecStart').split(' '), settings));
};

/** KillMode=mixed: the signal reaches the first process of the unit. */
async function stop(service: Service): Promise<void> {
  const all = descendants(service.process.pid ?? 0);
  const main = all.find((pid) => commandOf(pid)[0] !== 'bwrap') ?? expect.fail('the unit has no process');
  process.kill(main, 'SIGTERM');
  expect(await service.ended).toBe(0);
}

const tributary = valueOf('ExecStart').split(' ')[0] ?? '';

test.runIf(isRoot)(
  'the unit of docs/server.md starts the package as a user without rights, in a sandbox, and its log has no key',
  async () => {
    const service = await start();
    expect(service.output()).toContain('components run in a sandbox');
    const response = await fetch(`${service.base}/users/me`, {
      headers: { authorization: `Bearer ${TEST_KEY}` },
    });
    expect(response.status).toBe(200);
    await until('a line of the log', () => service.output().includes('"message":"request.served"'));
    expect(service.output()).not.toContain(TEST_KEY);
    expect(await outputOf([tributary, 'admin', 'doctor'])).toContain('sandbox');
    const backup = join(valueOf('ReadWritePaths'), 'monday');
    expect(await outputOf([tributary, 'admin', 'backup', backup])).toMatch(/^0 /);
    await stop(service);
    // The restoration of the page, at the same paths.
    const [state = '', backups = ''] = Object.values(paths).slice(1);
    rmSync(state, { recursive: true });
    await run('cp', ['-a', join(backups, 'monday'), state]);
    const again = await start();
    const restored = await fetch(`${again.base}/users/me`, {
      headers: { authorization: `Bearer ${TEST_KEY}` },
    });
    expect(restored.status).toBe(200);
    await stop(again);
  },
);

test('systemd accepts the unit of docs/server.md', async (context) => {
  if (!existsSync('/usr/bin/systemd-analyze')) {
    context.skip();
    return;
  }
  const home = mkdtempSync(join(tmpdir(), 'tributary-unit-'));
  const file = join(home, 'tributary.service');
  // systemd wants a program that exists.
  writeFileSync(file, unit.replace(tributary, process.execPath));
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
  expect(stdout + stderr).toBe('');
  rmSync(home, { recursive: true });
});
