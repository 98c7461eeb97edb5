import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, startCommand } from '../../support/command.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-here-'));
const dataDir = join(folder, '.data');
const clientFile = join(dataDir, 'client.json');
let service: Service;

beforeAll(async () => {
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  mkdirSync(dataDir, { mode: 0o700 });
  shareAssembly(dataDir);
  service = await startService({ dataDir });
});
afterAll(async () => {
  await stopService(service);
  rmSync(folder, { recursive: true, force: true });
});

interface ClientFile {
  url: string;
  key: string;
}
const readClientFile = () => JSON.parse(readFileSync(clientFile, 'utf8')) as ClientFile;

/** The program itself, as `npx tributary` starts it. */
const startProgram = (...argv: string[]) =>
  spawn(resolve('bin/tributary.mjs'), argv, {
    cwd: join(folder, 'a/b'),
    env: { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: folder },
  });

function program(...argv: string[]): Promise<{ code: number | null; out: string; error: string }> {
  const child = startProgram(...argv);
  const result = { code: null as number | null, out: '', error: '' };
  child.stdout.on('data', (chunk) => (result.out += String(chunk)));
  child.stderr.on('data', (chunk) => (result.error += String(chunk)));
  return new Promise((ended) =>
    child.on('close', (code) => {
      ended({ ...result, code });
    }),
  );
}

describe('a running service keeps address and key for its user', () => {
  test('in a file that only its user can read, with a key of admin that is not the API key', async () => {
    expect(statSync(clientFile).mode & 0o777).toBe(0o600);
    const { url, key } = readClientFile();
    expect(url).toBe(service.base);
    expect(key).not.toBe(TEST_KEY);
    const response = await fetch(`${url}/users/me`, { headers: { authorization: `Bearer ${key}` } });
    expect(await response.json()).toMatchObject({ data: { username: 'admin' } });
  });

  test('which is refused when a proxy passed the request on, because only this machine may use it', async () => {
    const { url, key } = readClientFile();
    for (const header of ['x-forwarded-for', 'forwarded']) {
      const headers = { authorization: `Bearer ${key}`, [header]: '127.0.0.1' };
      const response = await fetch(`${url}/users/me`, { headers });
      expect(response.status).toBe(401);
      expect(await response.text()).toContain('works on the machine of the service only');
    }
    const headers = { authorization: `Bearer ${TEST_KEY}`, 'x-forwarded-for': '127.0.0.1' };
    expect((await fetch(`${url}/users/me`, { headers })).status).toBe(200);
  });

  test('which the program finds from folders below, and in DATA_DIR', async () => {
    const { code, out, error } = await program('whoami');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain(clientFile);
    const elsewhere = await runCommand(['whoami'], { cwd: '/', env: { DATA_DIR: dataDir } });
    expect(elsewhere).toMatchObject({ code: 0, out: expect.stringContaining(clientFile) as string });
  });

  test('unless options, variables or a profile name another one; its key goes to no other address', async () => {
    const cwd = folder;
    const { origin } = service;
    const variables = { TRIBUTARY_URL: origin, TRIBUTARY_API_KEY: TEST_KEY };
    expect((await runCommand(['whoami'], { cwd, env: variables })).out).toContain('the environment');
    const options = ['whoami', '--url', origin, '--key', TEST_KEY];
    expect((await runCommand(options, { cwd, env: variables })).out).toContain('the options');
    const config = { XDG_CONFIG_HOME: join(folder, 'config') };
    await runCommand(['login', '--url', origin], { cwd, env: config, input: TEST_KEY });
    expect((await runCommand(['whoami'], { cwd, env: config })).out).toContain('the profile default');
    const other = await runCommand(['whoami', '--url', 'http://127.0.0.1:9'], { cwd, env: config });
    expect(other).toMatchObject({ code: 2, out: '' });
  });

  test('but not in a file that other users could have written', async () => {
    const open = join(folder, 'open');
    mkdirSync(join(open, '.data'), { recursive: true });
    writeFileSync(join(open, '.data/client.json'), readFileSync(clientFile), { mode: 0o644 });
    const { out } = await runCommand(['whoami'], { cwd: open });
    expect(out).toContain(`${dataDir}/client.json`);
  });
});

test('a component cannot read the file', async () => {
  const { url, key } = readClientFile();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const code = `import { readFileSync } from 'node:fs';
export default { name: 'Reader', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  run() {
    let body;
    try { body = readFileSync(${JSON.stringify(clientFile)}, 'utf8'); } catch (error) { body = error.code; }
    this.http.respond({ status: 200, body });
  } };`;
  const made = await fetch(`${url}/sources`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ component_code: code }),
  });
  const { data } = (await made.json()) as { data: { configured_props: { http: { endpoint_url: string } } } };
  const response = await (await fetch(data.configured_props.http.endpoint_url)).text();
  expect(response).toMatch(/^(?:ENOENT|EACCES|ERR_ACCESS_DENIED)$/);
});

test('the key ends with the service: the file goes, and the next start makes another', async () => {
  const before = readClientFile();
  await stopService(service);
  expect(existsSync(clientFile)).toBe(false);
  service = await startService({ dataDir });
  const { url, key } = readClientFile();
  expect(key).not.toBe(before.key);
  const status = async (each: string) =>
    (await fetch(`${url}/users/me`, { headers: { authorization: `Bearer ${each}` } })).status;
  expect([await status(before.key), await status(key), await status(TEST_KEY)]).toEqual([401, 200, 200]);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s removes the source of dev and is exit 0', async (signal) => {
  writeFileSync(join(folder, 'a/b/ended.mjs'), "export default { name: 'Ended', version: '0.0.1', run() {} };");
  const { url, key } = readClientFile();
  const slugs = async () => {
    const response = await fetch(`${url}/users/me/sources`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await response.json()) as { data: { name_slug: string }[] };
    return data.map(({ name_slug: slug }) => slug);
  };
  const child = startProgram('dev', 'ended.mjs');
  let out = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  await until('it runs', () => out.startsWith('dev-ended ready'));
  expect(await slugs()).toContain('dev-ended');
  child.kill(signal);
  const [code] = (await once(child, 'exit')) as [number | null];
  expect([code, await slugs()]).toEqual([0, expect.not.arrayContaining(['dev-ended'])]);
});

test('open hands the key to the browser in a file that only its user can read, and removes it', async () => {
  const seen = join(folder, 'seen');
  const browser = join(folder, 'browser');
  const script = `#!/bin/sh\nfile="\${1#file://}"\nstat -c %a "$file" > ${seen}\ncat "$file" >> ${seen}\necho "$file" > ${seen}.path\n`;
  writeFileSync(browser, script, { mode: 0o755 });
  const opened = startCommand(['open'], { cwd: folder, env: { BROWSER: browser } });
  await opened.line((line) => line === `Opened ${service.origin}/console`);
  // The command waits 2 s at most for its browser.
  await until('the browser', () => existsSync(`${seen}.path`) && statSync(`${seen}.path`).size > 0);
  const { key } = readClientFile();
  const [mode, page] = readFileSync(seen, 'utf8').split('\n');
  expect(mode).toBe('600');
  expect(page).toContain(`${service.origin}/console#key=${key}`);
  opened.interrupt();
  expect((await opened.ended).code).toBe(0);
  expect(existsSync(readFileSync(`${seen}.path`, 'utf8').trim())).toBe(false);
  const { out } = await runCommand(['open'], { cwd: folder });
  expect(out).toBe(`${service.origin}/console\n`);
});

test('the program ends with the codes of its commands', async () => {
  expect(await program('no-such-command')).toMatchObject({ code: 2, out: '' });
  expect(await program('sources', 'get', 'dc_unknown')).toMatchObject({ code: 1, out: '' });
});
