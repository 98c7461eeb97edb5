import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { NODES } from '../../support/other-node.ts';
import { packageFiles } from '../../support/package-files.ts';
import { trustRegistry } from '../../support/registry-certificates.ts';
import { descendants, isAlive, type Service, serviceOf, stopService, TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';

trustRegistry();

const LINE = 'Building the functions, once for this state of the sources …\n';

let root: string;
let running: Service[] = [];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tributary-checkout-'));
  for (const name of [
    'bin',
    'docs',
    'functions',
    'infra',
    'shared',
    '.npmrc',
    'README.md',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    cpSync(name, join(root, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
});
afterEach(async () => {
  await Promise.all(running.map(stopService));
  running = [];
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

function spawned(data: string, env: Record<string, string> = {}): ChildProcess {
  const own = { DATA_DIR: join(root, data), PORT: '0', INGRESS_PORT: '0', API_KEY: TEST_KEY };
  return spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...process.env, ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function started(data = '.data', env: Record<string, string> = {}): Promise<Service> {
  const service = await serviceOf(spawned(data, env));
  running.push(service);
  return service;
}

const builds = () => readdirSync(join(root, '.build/start'));
const filesBelow = (folder: string): string[] =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }) : [];

test('two first starts at once, as after npm ci --ignore-scripts, both build and serve', async () => {
  const both = await Promise.all([started('one'), started('two')]);
  for (const service of both) expect(service.output()).toContain(LINE);
  expect(builds()).toHaveLength(1);
});

test('the next start and a command run the same build', async () => {
  const service = await started();
  expect(service.output()).not.toContain('Building');
  const env = { ...process.env, DATA_DIR: join(root, '.data') };
  const admin = ['run', '--silent', 'admin', '--', 'users', 'list'];
  const { stdout, stderr } = await promisify(execFile)('npm', admin, { cwd: root, env });
  expect([stdout, stderr]).toEqual([expect.stringContaining('admin@localhost'), '']);
  expect(builds()).toHaveLength(1);
});

test('another Node runs the same build', async () => {
  const node = join(await packageFiles(NODES[24]), 'bin');
  const service = await started('.data', { PATH: `${node}:${process.env['PATH'] ?? ''}` });
  expect(service.output()).not.toContain('Building');
});

test('a start after an edit runs the edited source, below a service that runs on', async () => {
  const before = await started('one');
  const source = join(root, 'shared/domain/user/key-refusals.ts');
  const text = readFileSync(source, 'utf8');
  const unauthorised = async ({ base }: Service) =>
    (await fetch(`${base}/users/me`, { headers: { authorization: 'Bearer wrong' } })).text();
  writeFileSync(source, text.replace('API key', 'edited key'));
  const service = await started('two');
  expect(service.output()).toContain(LINE);
  rmSync(join(root, '.build'), { recursive: true, force: true });
  expect(await unauthorised(service)).toContain('edited key');
  expect(await unauthorised(before)).toContain('API key');
  const headers = { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ component_code: "export default { name: 'One', version: '1', run() {} };" });
  const made = await fetch(`${before.base}/sources`, { method: 'POST', headers, body });
  expect([made.status, await made.text()]).toEqual([200, expect.stringContaining('dc_')]);
});

test('a build ends with the start that waits for it, and the next start builds again', async () => {
  const child = spawned('.data');
  const unfinished = /unfinished-.*functions/;
  await until('the bundles are being written', () => filesBelow('.build').some((path) => unfinished.test(path)));
  const processes = descendants(child.pid ?? expect.fail('not started'));
  expect(processes.length).toBeGreaterThan(2);
  const waiting = processes.find((pid) => /tributary\.mjs/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')));
  process.kill(waiting ?? expect.fail('no start'), 'SIGKILL');
  await until('no process is left', () => !processes.some(isAlive));
  const service = await started();
  expect(service.output()).toContain(LINE);
});

test('npx tributary runs where nothing of npx is cached and .npmrc forbids scripts of packages', async () => {
  const { stdout } = await promisify(execFile)('npx', ['--offline', 'tributary', '--version'], {
    cwd: root,
    env: { ...process.env, npm_config_cache: join(root, 'cache of npm') },
  });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('npm run postprepare builds, so that the first start does not; it never fails an installation', async () => {
  rmSync(join(root, '.build'), { recursive: true, force: true });
  await promisify(execFile)('npm', ['run', 'postprepare'], { cwd: root });
  expect((await started()).output()).not.toContain('Building');
  writeFileSync(join(root, 'bin/tributary.ts'), 'no source');
  await promisify(execFile)('npm', ['run', 'postprepare'], { cwd: root });
  const failure = await started().catch(String);
  expect(failure).toContain('The functions could not be built: ');
});
