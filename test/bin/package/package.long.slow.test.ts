import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectTour } from '../../support/readme-tour.ts';
import {
  commandOf,
  descendants,
  isAlive,
  type Service,
  serviceOf,
  stopService,
  TEST_KEY,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { installPackage } from '../../support/install-package.ts';
import { trustRegistry } from '../../support/registry-certificates.ts';

trustRegistry();

const run = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));

let folder: string;
let installed: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tributary-package-')));
  installed = await installPackage(folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const environment = (dataDir?: string) => ({
  ...process.env,
  PORT: '0',
  INGRESS_PORT: '0',
  API_KEY: TEST_KEY,
  ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
});
/** Every service has a process group of its own, as in a terminal. */
const start = (command: string, args: readonly string[], dataDir?: string): Promise<Service> =>
  serviceOf(
    spawn(command, args, {
      cwd: installed,
      env: environment(dataDir),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  );

/** Ctrl-C in a terminal. It reaches the service although npx stands between them. */
async function interrupt({ process: { pid = 0 }, ended }: Service): Promise<void> {
  const all = [pid, ...descendants(pid)];
  process.kill(-pid, 'SIGINT');
  await ended;
  await until('the end of every process', () => !all.some(isAlive));
}
const packageFolder = () => join(installed, 'node_modules', '@tributary-events', 'tributary');
const PROGRAM = 'node_modules/.bin/tributary';
const npx = (...args: string[]) => run('npx', args, { cwd: installed, env: environment() });

test('the package installs its native packages and the HTTP client, no CDK and no TypeScript loader, in 120 MB', async () => {
  const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: installed });
  const packages = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((path) => path.replace(/^.*node_modules\//, ''));
  expect(packages).toEqual(expect.arrayContaining(['classic-level', 'esbuild', 'openapi-fetch']));
  expect(packages.filter((name) => /cdk|constructs|tsx|typescript$|^@aws-sdk/.test(name))).toEqual([]);
  const { stdout: size } = await run('du', ['-sm', 'node_modules'], { cwd: installed });
  expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(120);
});

test.each(['zod', 'commander', '@aws-sdk/client-dynamodb', '@npmcli/arborist', 'axios', 'preact', 'uplot'])(
  'the package has the licence of %s, whose code is in a bundle',
  (name) => {
    const home = join(CHECKOUT, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
    const licence = readdirSync(home).find((file) => /^licen[cs]e/i.test(file)) ?? expect.fail('no licence');
    const notices = readFileSync(join(packageFolder(), 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).toContain(`${name} ${version} (`);
    expect(notices).toContain(readFileSync(join(home, licence), 'utf8').trim());
  },
);

test('authors of components import types and a runner for tests, and tributary new writes such a test', async () => {
  const home = join(installed, 'authored');
  mkdirSync(home);
  const tributary = (...args: string[]) => run(join(installed, PROGRAM), args, { cwd: home, env: environment() });
  await tributary('new', 'cron', 'daily.ts');
  expect((await tributary('new', 'test', 'daily.test.mjs')).stdout).toContain('. Run it: node --test');
  const test = join(home, 'daily.test.mjs');
  writeFileSync(test, readFileSync(test, 'utf8').replace('daily.mjs', 'daily.ts'));
  const { stdout } = await run(process.execPath, ['--test', 'daily.test.mjs'], {
    cwd: home,
    env: environment(),
  });
  expect(stdout).toMatch(/pass 1\b/);
  const config = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    module: 'NodeNext',
    target: 'ES2023',
    types: [] as string[],
  };
  const wrong = join(home, 'wrong.ts');
  writeFileSync(
    wrong,
    `import { defineSource } from '@tributary-events/tributary/component';
export default defineSource({ name: 'X', version: '1', props: { url: 'string' }, run() { this.ulr; } });\n`,
  );
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions: config, files: ['wrong.ts'] }));
  const failed = await run(join(CHECKOUT, 'node_modules', '.bin', 'tsc'), ['-p', home]).catch(
    (error: unknown) => error,
  );
  expect((failed as { stdout: string }).stdout.trim()).toMatch(
    /^[^\n]*wrong\.ts\(2,\d+\): error TS\d+: Property 'ulr' does not exist[^\n]*$/,
  );
});

test("npx tributary start runs the README's tour, with its data in ./.data", async () => {
  const service = await start('npx', ['tributary', 'start']);
  try {
    cpSync(join(CHECKOUT, 'docs', 'examples'), join(installed, 'docs', 'examples'), { recursive: true });
    await expectTour({ folder: installed, service });
    // Finds the service by its data directory.
    const { stdout } = await npx('tributary', 'whoami', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ username: 'admin', url: service.base });
    const { stdout: users } = await npx('tributary', 'admin', 'users', 'list', '--json');
    expect(JSON.parse(users)).toMatchObject([{ username: 'admin' }]);
  } finally {
    await interrupt(service);
  }
  const { stdout } = await npx('tributary', 'admin', 'users', 'list', '--json');
  expect(JSON.parse(stdout), 'the same without a running service').toMatchObject([{ username: 'admin' }]);
});

test('tributary start --paused serves the API, and says that it is paused', async () => {
  const service = await start(PROGRAM, ['start', '--paused'], join(folder, 'paused'));
  try {
    expect(service.output()).toContain('paused');
    expect((await fetch(`${service.origin}/healthz`)).status).toBe(503);
  } finally {
    await stopService(service);
  }
});

describe('the processes of tributary start', () => {
  test('end together after SIGTERM, and after kill -9 of the first one', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const service = await start(PROGRAM, ['start'], join(folder, signal));
      const words = commandOf(service.process.pid ?? 0);
      expect(words, 'the service is the first process').toContain('--max-semi-space-size=32');
      const { pid = 0 } = service.process;
      const all = [pid, ...descendants(pid)];
      service.process.kill(signal);
      expect(await service.ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL');
      await until('the end of every process', () => !all.some(isAlive));
    }
  });
});

test.each([
  [['start', '--puased'], 2, /--paused/],
  [['start', 'now'], 2, /too many arguments/i],
  [['admin', 'user', 'list'], 2, /Unknown command 'user'\. Did you mean users\?/],
])('tributary %s is refused with a sentence and the code %i', async (args, code, message) => {
  const failure = await run(PROGRAM, args, { cwd: installed, env: environment(join(folder, 'wrong')) }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code, stderr: expect.stringMatching(message) as string });
});

test('a wrong setting is refused as by npm start', async () => {
  const env = { ...environment(join(folder, 'wrong')), PORT: 'http' };
  const failure = await run(PROGRAM, ['start'], { cwd: installed, env }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 2, stderr: 'PORT must be a port number, 0 to 65535.\n' });
});

test('a program with the client compiles without a cast, refuses what the document refuses, and runs', async () => {
  cpSync(join(HERE, 'client-tour.txt'), join(installed, 'client-tour.mts'));
  const program = readFileSync(join(installed, 'client-tour.mts'), 'utf8');
  expect(program).not.toMatch(/ as |\bany\b|!\.|@ts-ignore/);
  const compilerOptions = {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    typeRoots: [join(CHECKOUT, 'node_modules', '@types')],
  };
  writeFileSync(join(installed, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client-tour.mts'] }));
  await run(join(CHECKOUT, 'node_modules', '.bin', 'tsc'), ['-p', installed]).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(stdout.slice(0, 3_000));
    },
  );
  const service = await start(PROGRAM, ['start'], join(folder, 'client'));
  try {
    const env = { ...process.env, ORIGIN: service.origin, KEY: TEST_KEY };
    const { stdout } = await run(process.execPath, ['client-tour.mjs'], { cwd: installed, env });
    expect(JSON.parse(stdout)).toEqual({
      name: 'Greeting',
      event: { greeting: 'Ahoy, Ada!', count: 1 },
      deliveredId: expect.any(String) as string,
      refused: ['invalid', 'invalid_request', 'limit'],
    });
  } finally {
    await stopService(service);
  }
});
