import { CreateLogStreamCommand, PutLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { createServer, type IncomingMessage } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { auditOnMachine } from '../../../../bin/admin/audit/write-audit.ts';
import { operateWith } from '../../../../bin/admin/operate.ts';
import { runCommand } from '../../../support/command.ts';
import { tableIn } from '../../../support/doc-table.ts';
import { ann, calls, cloudWatchLogs, resetAws } from './aws.ts';

beforeEach(resetAws);

const operate = operateWith(() => Promise.reject(new Error('The commands use no service of this machine')));
const admin = (...argv: string[]) => runCommand(['admin', ...argv, '--stack', 'Ours', '--json'], { operate });

/** The lines of the log group, as objects. */
const lines = (): unknown[] =>
  cloudWatchLogs.commandCalls(PutLogEventsCommand).flatMap(({ args: [{ input }] }) => {
    expect(input.logGroupName).toBe('the-audit');
    return (input.logEvents ?? []).map(({ message = '' }) => JSON.parse(message) as unknown);
  });

/** STS of this machine. Returns its requests. */
async function startSts(respond: (request: IncomingMessage) => string): Promise<string[]> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push(`${request.headers.authorization ?? ''} ${body}`);
      response.end(respond(request));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  vi.stubEnv('AWS_ENDPOINT_URL_STS', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return requests;
}

describe('a command on a stack', () => {
  const arn = 'arn:aws:sts::123456789012:assumed-role/Ours-OperatorAct/ada';

  test('leaves a line in the log group first: who did what to whom, by the identity that STS names', async () => {
    const requests = await startSts(() => `<Result><Arn>${arn}</Arn></Result>`);
    await admin('users', 'rotate-key', '--user', ann);
    expect(lines()).toEqual([
      {
        timestamp: expect.any(String) as string,
        message: 'admin.command',
        who: arn,
        command: 'users rotate-key',
        role: 'act',
        subject: { user: ann },
      },
    ]);
    expect(requests).toEqual([
      expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=operator\/\d{8}\/eu-west-1\/sts\/aws4_request, .* Action=GetCallerIdentity&Version=2011-06-15$/,
      ),
    ]);
  });

  test('names the access key where STS cannot be reached', async () => {
    await admin('users', 'list');
    expect(lines()).toMatchObject([{ who: 'access key operator', command: 'users list', role: 'read', subject: {} }]);
  });

  test('leaves no secret and no address in the line', async () => {
    await admin('users', 'create', '--username', 'bob', '--email', 'b@c.d');
    await admin('accounts', 'add', '--owner', ann, '--app', 'slack', '--field', 'token=xoxb-1', '--name', 'Mine');
    expect(lines()).toMatchObject([{ subject: { username: 'bob' } }, { subject: { owner: ann, app: 'slack' } }]);
    expect(JSON.stringify(lines())).not.toMatch(/b@c\.d|xoxb|Mine/);
  });

  test.each([['reconcile'], ['destroy-data', '--confirm', 'Ours']])('is written for %s, too', async (...argv) => {
    await admin(...argv);
    expect(lines()).toMatchObject([{ command: argv[0] }]);
  });

  test('does nothing when its line cannot be written', async () => {
    cloudWatchLogs.on(CreateLogStreamCommand).rejects(new Error('You may not.'));
    const { code, error } = await admin('users', 'rotate-key', '--user', ann);
    expect({ code, error }).toEqual({
      code: 1,
      error: 'The audit line cannot be written to the log group the-audit, so nothing was done: You may not.\n',
    });
    expect(calls()).toEqual([]);
  });
});

test('a command on this machine appends its line to audit.jsonl, which only its user reads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-audit-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const user of ['u_1', 'u_2'])
    await auditOnMachine(folder, { command: 'users suspend', role: 'act', options: { user, secret: 'hidden' } });
  const file = join(folder, 'audit.jsonl');
  const written = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(written.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { command: 'users suspend', subject: { user: 'u_1' } },
    { command: 'users suspend', subject: { user: 'u_2' } },
  ]);
  expect(written.join('')).not.toContain('hidden');
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('audit.jsonl has 10 MB at most; audit.1.jsonl has the lines before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-audit-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const [file, before] = [join(folder, 'audit.jsonl'), join(folder, 'audit.1.jsonl')];
  const suspend = (user: string) =>
    auditOnMachine(folder, { command: 'users suspend', role: 'act', options: { user } });
  writeFileSync(before, 'older');
  const full = 'x'.repeat(10_000_000);
  writeFileSync(file, full.slice(1), { mode: 0o600 });
  await suspend('u_1');
  expect(readFileSync(before, 'utf8')).toBe('older');
  await suspend('u_2');
  expect(readFileSync(before, 'utf8')).toContain('"u_1"');
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual([expect.stringContaining('"u_2"')]);
  expect([file, before].map((each) => statSync(each).mode & 0o077)).toEqual([0, 0]);
});

describe('the role of a command', () => {
  const wordsIn = (cell = '') => [...cell.matchAll(/`([a-z][a-z -]*)`/g)].map(([, words = '']) => words);
  const listed = new Map(
    tableIn('docs/operations.md', 'Roles and the audit log').flatMap(([role = '', , , commands]) =>
      wordsIn(commands).map((words) => [words, role.replaceAll('`', '')]),
    ),
  );
  const all = tableIn('docs/operations.md', "The operator's commands").map(
    ([cell = '']) => /^`([a-z-]+(?: [a-z][a-z-]+)?)/.exec(cell)?.[1] ?? expect.fail(cell),
  );

  test.each(all.filter((words) => !['backup', 'targets', 'doctor'].includes(words)))(
    'is in the help of %s as in docs/operations.md',
    async (words) => {
      const { out } = await runCommand(['admin', ...words.split(' '), '--help']);
      expect(out).toContain(`Role of a stack on AWS: ${listed.get(words) ?? 'act'} (docs/operations.md).`);
    },
  );

  test('is known for every command of the list', () => {
    expect(all.length).toBeGreaterThan(25);
    expect([...listed.keys()].filter((words) => !all.includes(words))).toEqual([]);
  });
});
