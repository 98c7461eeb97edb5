import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';

/**
 * docs/releases.md: one command makes the package, its checksum and the tag with its note. The repository is a clone of
 * this checkout.
 */

/** Later than every release. */
const VERSION = '9999.0.0';
const PACKED = `tributary-events-tributary-${VERSION}.tgz`;
const NOTE = 'Nothing to do.\n\n- Events fly.\n';
const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), 'tributary-release-'));
const clone = join(directory, 'clone');
const path = (...names: string[]) => join(clone, ...names);

/** Nothing of the person who runs the test. */
const nobody = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b.c',
};
const somebody = { ...nobody, ...identity };
const inClone = async (program: string, ...argv: string[]) =>
  (await run(program, argv, { cwd: clone, env: somebody })).stdout;
const git = (...argv: string[]) => inClone('git', ...argv);
const commit = async () => {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Prepare');
};
const command = ['run', '--silent', 'release'];
const release = (env: NodeJS.ProcessEnv = somebody) => run('npm', command, { cwd: clone, env });

async function refusal(env?: NodeJS.ProcessEnv): Promise<string> {
  const error: unknown = await release(env).then(
    () => expect.fail('It was released.'),
    (cause: unknown) => cause,
  );
  expect(await git('tag', '--list')).toBe('');
  return error instanceof Error && 'stderr' in error ? String(error.stderr) : expect.fail(String(error));
}

beforeAll(async () => {
  await run('git', ['clone', '--quiet', '--no-tags', '.', clone]);
  symlinkSync(resolve('node_modules'), path('node_modules'));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

test('a commit that is not ready is refused, each time with the sentence that says what is missing', async () => {
  await inClone('npm', 'version', '--no-git-tag-version', VERSION);
  expect(await refusal()).toMatch(/^package\.json has the version 9999\.0\.0, and shared\/domain\/version\.ts /);
  await inClone('sed', '-i', `s/VERSION = '.*'/VERSION = '${VERSION}'/`, 'shared/domain/version.ts');
  expect(await refusal()).toMatch(/^There are changes that are not committed/);
  await commit();
  expect(await refusal()).toMatch(/^There is no .*9999\.0\.0\.json.* npm run record-release/);
  writeFileSync(path('test', 'programs', 'recorded', 'releases', `${VERSION}.json`), '{}\n');
  await commit();
  expect(await refusal()).toMatch(/^docs\/changelog\.md has no section "## 9999\.0\.0"/);
  const changelog = path('docs', 'changelog.md');
  const text = readFileSync(changelog, 'utf8');
  writeFileSync(changelog, text.replace('# Changelog\n', `# Changelog\n\n## ${VERSION}\n\n${NOTE}`));
  await commit();
});

test('somebody without a name, for whom Git makes no tag, is refused before anything is packed', async () => {
  await git('config', 'user.useConfigOnly', 'true');
  expect(await refusal(nobody)).toMatch(/git var failed, and nothing is tagged\. .* repeat the command\.\n$/);
  expect(existsSync(path('dist'))).toBe(false);
});

test('a call that was killed while it packed is repeated, and then the commit has package, checksum and tag', async () => {
  const killed = spawn('npm', command, { cwd: clone, env: somebody, detached: true, stdio: 'ignore' });
  const ended = new Promise((done) => killed.on('exit', done));
  await until('the build of the package', () => existsSync(path('dist')));
  process.kill(-(killed.pid ?? expect.fail()), 'SIGKILL');
  await ended;
  expect(await git('tag', '--list')).toBe('');

  const { stdout } = await release();
  expect(stdout).toContain(`git push origin v${VERSION}`);
  expect(await git('tag', '--list', '--format=%(contents)')).toBe(`${NOTE}\n`);
  expect(await git('rev-parse', `v${VERSION}^{commit}`)).toBe(await git('rev-parse', 'HEAD'));
  const made = readdirSync(path('.build'));
  expect(made).toEqual(expect.arrayContaining([PACKED, `${PACKED}.sha256`, 'note.md']));
  const checksum = createHash('sha256')
    .update(readFileSync(path('.build', PACKED)))
    .digest('hex');
  expect(readFileSync(path('.build', `${PACKED}.sha256`), 'utf8')).toBe(`${checksum}  ${PACKED}\n`);
  expect(await git('status', '--porcelain')).toBe('');
  await expect(release()).rejects.toMatchObject({
    stderr: expect.stringMatching(/^v9999\.0\.0 is released already: a tag never moves\./) as string,
  });
});

test('the packed command prints the version of its tag', async () => {
  await inClone('tar', '-xzf', path('.build', PACKED), '-C', directory);
  symlinkSync(resolve('node_modules'), join(directory, 'package', 'node_modules'));
  const { stdout } = await run(process.execPath, [join(directory, 'package', 'bin', 'tributary.mjs'), '--version']);
  expect(stdout).toContain(VERSION);
});
