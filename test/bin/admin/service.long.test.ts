import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCommand } from '../../../bin/built-command.mjs';
import { openDataDirectory } from '../../../infra/embedded/disk/data-directory.ts';
import { echoComponent } from '../../support/components.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-admin-'));
const dataDir = join(folder, 'data');
const file = join(folder, 'echo.mjs');
let service: Service;

interface Ended {
  code: number | null;
  out: string;
  error: string;
}

/** The command as `npm run --silent admin --` starts it. */
function admin(argv: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, ['bin/tributary.mjs', 'admin', ...argv], {
    env: { ...process.env, DATA_DIR: dataDir, ...environment },
  });
  const ended: Ended = { code: null, out: '', error: '' };
  child.stdout.on('data', (chunk) => (ended.out += String(chunk)));
  child.stderr.on('data', (chunk) => (ended.error += String(chunk)));
  return new Promise((resolve) =>
    child.on('close', (code) => {
      resolve({ ...ended, code });
    }),
  );
}

/** Parses the output of a command with `--json`: one document and a line break on one stream, nothing on the other. */
async function json(...argv: string[]): Promise<unknown> {
  const { code, out, error } = await admin([...argv, '--json']);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toMatch(/^[^\n]+\n$/);
  return JSON.parse(out) as unknown;
}

const get = async (path: string, key: string) => {
  const response = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data?: Record<string, unknown> };
  return { status: response.status, data };
};

const ann = ['--username=-ann', '--email', 'ann@example.org'];
const bob = ['--username=bob', '--email', 'bob@example.org'];

beforeAll(async () => {
  // The first command in a checkout that is not built would say that it builds.
  await builtCommand();
  writeFileSync(file, echoComponent({ name: 'Published', key: 'published' }));
});
afterAll(async () => {
  await stopService(service);
  rmSync(folder, { recursive: true, force: true });
});

describe('without a service the commands open the data directory', () => {
  let made: { id: string; api_key: string; username: string; email: string };

  test.each([
    ['that is not there', join(folder, 'nowhere', 'data'), 'No service has used the data directory'],
    ['of something else', join(folder, 'other'), 'No service has used the data directory'],
    ['that is a file', file, 'there is a file in its place'],
  ])('but not one %s: they fail with a message and make nothing', async (_, location, sentence) => {
    mkdirSync(join(folder, 'other'), { recursive: true });
    const before = readdirSync(folder, { recursive: true });
    const ended = await admin(['users', 'create', ...ann], { DATA_DIR: location });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.error).toMatch(/^[A-Z][^\n]*\.\n$/);
    expect(ended.error).toContain(location);
    expect(ended.error).toContain(sentence);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  test('which a service has used', async () => {
    shareAssembly(dataDir);
    await stopService(await startService({ dataDir }));
    made = (await json('users', 'create', ...ann)) as typeof made;
    expect(made).toMatchObject({ username: '-ann', email: 'ann@example.org' });
    expect(await json('users', 'list')).toMatchObject([{ username: 'admin' }, { id: made.id, plan: 'free' }]);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const audit = readFileSync(join(dataDir, 'audit.jsonl'), 'utf8').trimEnd().split('\n');
    expect(audit.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { command: 'users create', subject: { username: '-ann' } },
      { command: 'users list' },
    ]);
  });

  test('also to build what they publish', async () => {
    expect(await json('components', 'publish', '--file', file)).toMatchObject({ key: 'published' });
  });

  test('and fail with a message when another user has it', async () => {
    const disk = await openDataDirectory(dataDir);
    const ended = await admin(['users', 'list']);
    await disk.close();
    expect(ended).toEqual({
      code: 1,
      out: '',
      error: `Another process is using the data directory ${dataDir}: stop it, or set DATA_DIR to another directory.\n`,
    });
  });

  test('so that the service finds what they did', async () => {
    service = await startService({ dataDir });
    expect(await get('/users/me', made.api_key)).toMatchObject({ status: 200, data: { id: made.id } });
    expect(await get('/components/registry/published', TEST_KEY)).toMatchObject({ status: 200 });
  });
});

describe('while the service runs the commands go through its socket', () => {
  test('which only its user may use, as well as its secret', () => {
    for (const name of ['admin.sock', 'admin.secret'])
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  test('which refuses callers without the secret', async () => {
    const answered = await new Promise<string>((resolve) => {
      let output = '';
      const connection = connect(join(dataDir, 'admin.sock'), () => {
        connection.write(`${JSON.stringify({ secret: 'x'.repeat(64), id: 1 })}\n`);
      });
      connection.on('data', (chunk) => (output += String(chunk)));
      connection.on('close', () => {
        resolve(output);
      });
    });
    expect(answered).toBe('');
  });

  test('and take effect immediately', async () => {
    const made = (await json('users', 'create', ...bob)) as { id: string; api_key: string };
    expect((await get('/users/me', made.api_key)).status).toBe(200);
    const { api_key: key } = (await json('users', 'rotate-key', '--user', made.id)) as typeof made;
    expect((await get('/users/me', key)).data).toMatchObject({ id: made.id, api_key: key });
    expect(await json('users', 'delete', '--user', made.id)).toMatchObject({ id: made.id, unrevoked: 0 });
    expect((await get('/users/me/webhooks', key)).status).toBe(401);
  });

  test('also to build and describe what they publish', async () => {
    writeFileSync(file, echoComponent({ name: 'Published again', key: 'published' }));
    const published = await json('components', 'publish', '--file', file);
    expect((await get('/components/registry/published', TEST_KEY)).data).toMatchObject(published as object);
  });

  test('two and more at a time', async () => {
    const lists = await Promise.all([1, 2, 3].map(() => json('users', 'list')));
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });

  test('in words for people without --json', async () => {
    const { code, out } = await admin(['users', 'list']);
    expect([code, out]).toEqual([0, expect.stringContaining('admin\tadmin@localhost\tfree\n')]);
  });
});

describe('a command ends', () => {
  test('with 0 and the help where it is asked for', async () => {
    const { code, out, error } = await admin(['users', '--help']);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^Usage: tributary admin users [^]*rotate-key/);
  });

  test('with 2 and a sentence on standard error where it is used wrongly', async () => {
    const ended = await admin(['users', 'create', '--username', 'ann', '--json']);
    expect(ended).toEqual({ code: 2, out: '', error: '--email is needed.\n' });
  });

  test('with 2 and a sentence where a setting is wrong', async () => {
    const ended = await admin(['users', 'list'], { SYNC: 'sometimes' });
    expect(ended).toEqual({ code: 2, out: '', error: 'SYNC must be interval or always.\n' });
  });

  test('with 1 and a sentence where it cannot be done', async () => {
    const ended = await admin(['users', 'delete', '--user', 'u_nobody', '--json']);
    expect(ended).toEqual({ code: 1, out: '', error: 'There is no user u_nobody.\n' });
  });
});

test('with --stack the command asks the AWS account of its environment, and nothing on this machine', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk) => requests.push(String(chunk)));
    request.on('end', () => {
      response.writeHead(400, { 'content-type': 'text/xml' });
      response.end(
        '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id Ours does not exist</Message></Error></ErrorResponse>',
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ended = await admin(['users', 'list', '--json', '--stack', 'Ours'], {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'operator',
    AWS_SECRET_ACCESS_KEY: 'of this account',
    AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  server.close();
  const sentence = 'There is no stack Ours in eu-west-1 for your credentials.\n';
  expect(ended).toEqual({ code: 1, out: '', error: sentence });
  expect(requests.join()).toMatch(/Action=DescribeStacks.*StackName=Ours|StackName=Ours.*Action=DescribeStacks/);
});

test("a start with another user's key exits with status 2 and a message", async () => {
  const { api_key: apiKey } = (await json('users', 'create', ...bob)) as { api_key: string };
  await stopService(service);
  await expect(startService({ dataDir, apiKey })).rejects.toThrow('API_KEY is the key of another user.');
  service = await startService({ dataDir, apiKey: 'b'.repeat(20) });
  expect((await get('/users/me', 'b'.repeat(20))).data).toMatchObject({ username: 'admin' });
  expect((await get('/users/me', apiKey)).data).toMatchObject({ username: 'bob' });
});

describe('the doctor', () => {
  test('describes this machine, whether the service runs or not', async () => {
    expect(await json('doctor')).toMatchObject({
      node: process.version,
      isolation: expect.stringMatching(/^(?:sandbox|user|process)$/) as string,
      data_dir: dataDir,
    });
  });

  test('says in one sentence that it has no credentials', async () => {
    const nothing = {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: '',
      AWS_SECRET_ACCESS_KEY: '',
      AWS_PROFILE: 'default',
      AWS_CONFIG_FILE: join(folder, 'none'),
      AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    const { code, out, error } = await admin(['doctor', '--account'], nothing);
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(/^The limits of the account cannot be read: [^\n]+\.\n$/);
  });
});
