import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tributary-program-'));
  for (const file of [
    'package.json',
    ...readdirSync('bin')
      .filter((name) => /js$/.test(name))
      .map((name) => `bin/${name}`),
  ])
    cpSync(file, join(root, file));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(file: string, content: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}

interface Ended {
  code: number | null;
  out: string;
  error: string;
}

/** Runs the program as the link that npm makes does. */
async function run(...args: string[]): Promise<Ended & { pid: number | undefined }> {
  const link = join(root, 'link');
  rmSync(link, { force: true });
  symlinkSync(join(root, 'bin/tributary.mjs'), link);
  const child = spawn(link, args, { cwd: tmpdir() });
  const ended = new Promise<number | null>((closed) => child.on('close', closed));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { pid: child.pid, code, out, error };
}

test('the program of the package is one process, which has the heap options of the service', async () => {
  const shown = 'console.log(JSON.stringify([process.pid, process.execArgv, process.argv.slice(2)]))';
  write('dist/command/tributary.js', shown);
  const { pid, code, out, error } = await run('start', 'two words', '*');
  expect([code, error]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual([
    pid,
    ['--max-semi-space-size=32', '--heap-growing-percent=100', '--v8-pool-size=2'],
    ['start', 'two words', '*'],
  ]);
});

describe('in a checkout', () => {
  /** Stands for the build: its output names the number of builds so far. */
  const BUILDER = `
    import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
    import { dirname, join } from 'node:path';
    const folder: string = process.argv[2] ?? '';
    const unfinished = folder + '.unfinished-' + process.pid;
    mkdirSync(join(unfinished, 'command'), { recursive: true });
    if (existsSync('dies')) process.kill(process.pid, 'SIGKILL');
    const number = readdirSync(dirname(folder)).length;
    writeFileSync(join(unfinished, 'command/tributary.js'), \`console.log('build \${number}')\`);
    renameSync(unfinished, folder);`;
  const LINE = 'Building the functions, once for this state of the sources …\n';

  beforeEach(() => {
    write('bin/tributary.ts', '');
    write('bin/build-checkout.ts', BUILDER);
    for (const folder of ['docs/examples', 'functions/api', 'infra', 'shared/lib']) write(`${folder}/one.ts`, 'one');
    write('node_modules/.package-lock.json', '{}');
    symlinkSync(resolve('node_modules/tsx'), join(root, 'node_modules/tsx'));
  });

  test('the first command builds and says so, and the next ones run the build until a source changes', async () => {
    expect(await run()).toMatchObject({ code: 0, out: 'build 1\n', error: LINE });
    expect(await run()).toMatchObject({ code: 0, out: 'build 1\n', error: '' });
    write('bin/tributary.ts', '// changed');
    expect(await run()).toMatchObject({ code: 0, out: 'build 2\n', error: LINE });
  });

  test.each([
    ['a source is edited', () => write('shared/lib/one.ts', 'two'), false],
    ['a source is written again at another time', () => utimesSync(join(root, 'infra/one.ts'), 1, 1), false],
    ['a source is added', () => write('functions/queue/two.ts', ''), false],
    ['a source is deleted', () => rmSync(join(root, 'infra/one.ts')), false],
    ['an example of the console is edited', () => write('docs/examples/one.ts', 'two'), false],
    ['a page of the guide is edited', () => write('docs/one.md', 'two'), false],
    ['the README is edited', () => write('README.md', 'two'), false],
    ['packages are installed', () => write('node_modules/.package-lock.json', '{ }'), false],
    ['the lock file changes', () => write('package-lock.json', '{}'), false],
    ['another folder changes', () => write('test/one.ts', ''), true],
  ])('when %s, the key of the sources says whether it is built again', async (_, change, isSame) => {
    const module: unknown = await import(join(root, 'bin/source-key.mjs'));
    const { sourceKey } = module as { sourceKey: (folders: readonly string[]) => string };
    const before = sourceKey(['docs', 'functions', 'infra', 'shared']);
    change();
    expect(sourceKey(['docs', 'functions', 'infra', 'shared']) === before).toBe(isSame);
  });

  test('a build that dies ends the command with code 1, and the next one builds again', async () => {
    write('dies', '');
    expect(await run()).toMatchObject({ code: 1, out: '', error: LINE });
    rmSync(join(root, 'dies'));
    expect(await run()).toMatchObject({ code: 0, out: 'build 2\n', error: LINE });
  });

  test('without the packages for building it is refused in one sentence', async () => {
    rmSync(join(root, 'node_modules/tsx'));
    expect(await run()).toMatchObject({
      code: 1,
      out: '',
      error: `The functions are not built, and npm installed no packages to build them: run npm ci in ${root}.\n`,
    });
  });
});
