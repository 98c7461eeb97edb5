import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { apiClient } from '../../support/api-client.ts';
import { serveFiles } from '../../support/files-over-http.ts';
import { tableIn } from '../../support/doc-table.ts';
import { PIPEDREAM } from '../../support/pipedream.ts';
import { NO_RETRY, Receiver } from '../../support/receiver.ts';
import { ECHO } from '../../support/scene.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { until } from '../../support/until.ts';

/** The tasks of docs/console.md that need a command line and no browser. */
type Task = 'author' | 'operate' | 'move';

const run = promisify(execFile);
const program = resolve('bin/tributary.mjs');
const folder = mkdtempSync(join(tmpdir(), 'tributary-journeys-'));
const dataDir = join(folder, '.data');
const steps = new Map(tableIn('docs/console.md', 'Steps').map(([task = '', , count]) => [task, Number(count)]));
const walks: string[] = [];
let service: Service;
let count = 0;

/** The environment of a person's shell in the folder: no address and no key, which the program finds there. */
const shell = {
  cwd: folder,
  env: { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: folder, DATA_DIR: dataDir },
};

beforeAll(async () => {
  shareAssembly(dataDir);
  service = await startService({ dataDir });
});
afterAll(async () => {
  await stopService(service);
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`${walks.join('\n')}\n`);
});

/** A step: a command, as a person types it. Returns its output. */
async function tributary(...argv: string[]): Promise<string> {
  count += 1;
  return (await run(program, argv, shell)).stdout;
}

/** A step: a request of `curl`. */
async function curl(address: string, { body, key }: { body?: object; key?: string } = {}): Promise<string> {
  count += 1;
  const response = await fetch(address, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
  });
  expect(response.status).toBe(200);
  return response.text();
}

/** A step: a file that a person writes. */
function write(name: string, text: string): void {
  count += 1;
  writeFileSync(join(folder, name), text);
}

const endpointIn = (text: string): string => /http:\/\/\S+/.exec(text)?.[0] ?? expect.fail(`No address in ${text}`);

/** Keeps the steps and the time of a task, and compares the steps with those of the page. */
async function walk(task: Task, way: () => Promise<void>): Promise<void> {
  count = 0;
  const startedAt = Date.now();
  await way();
  walks.push(`${task}: ${count} steps, ${Math.round((Date.now() - startedAt) / 100) / 10} s`);
  expect(count, task).toBe(steps.get(`\`${task}\``));
}

test('an author writes a component, mends an error of it, and creates a source that emits an event', async () => {
  await walk('author', async () => {
    await tributary('new', 'webhook', 'orders.mjs');
    count += 1;
    const dev = spawn(program, ['dev', 'orders.mjs'], shell);
    let text = '';
    for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    const ended = new Promise((end) => dev.on('close', end));
    const says = (words: RegExp) => until(`${words}; there is ${text}`, () => words.exec(text) ?? false);
    try {
      const [, endpoint = ''] = await says(/ready: (\S+)/);
      const code = readFileSync(join(folder, 'orders.mjs'), 'utf8');
      write('orders.mjs', code.replace('export default {', 'export default { name: ;'));
      await says(/orders\.mjs:\d+:\d+[\s\S]*\n.*name: ;.*\n *\^/);
      write('orders.mjs', code.replace('export default {', '// Orders of the shop.\nexport default {'));
      await says(/updated/);
      await curl(endpoint, { body: { id: 7 } });
      await says(/emit .*"id":7/);
    } finally {
      count += 1;
      dev.kill('SIGINT');
      await ended;
    }
    await tributary('sources', 'create', 'orders.mjs', '--name', 'orders');
    const endpoint = endpointIn(await tributary('sources', 'get', 'orders'));
    await curl(endpoint, { body: { id: 8 } });
    expect(await tributary('events', 'orders')).toContain('"id":8');
  });
});

test('an operator finds a failing webhook and its reason, recovers it, and restarts the service after a backup', async () => {
  const down = await Receiver.start();
  down.respond = () => ({ status: 500, headers: NO_RETRY, body: 'the disk is full' });
  writeFileSync(join(folder, 'shop.mjs'), ECHO);
  const setUp = (...argv: string[]) => run(program, argv, shell);
  await setUp('webhooks', 'create', down.url, '--name', 'crm');
  const { stdout } = await setUp('sources', 'create', 'shop.mjs', '--name', 'shop');
  await setUp('subscriptions', 'create', 'shop', 'crm');
  await fetch(endpointIn(stdout), { method: 'POST', body: '{"id":4}' });
  await until('the webhook fails', async () => (await setUp('status')).stdout.includes('crm'));
  await walk('operate', async () => {
    expect(await tributary('status')).toContain('crm');
    const [id = ''] = /dl_\w+/.exec(await tributary('deliveries', 'crm', '--json')) ?? [];
    expect(await tributary('deliveries', 'get', 'crm', id)).toContain('the disk is full');
    down.respond = () => ({ status: 200 });
    await tributary('webhooks', 'recover', 'crm', '--since', '1h');
    await tributary('admin', 'backup', 'backup');
    count += 1;
    await stopService(service);
    service = await startService({ dataDir });
    expect(await curl(`${service.origin}/healthz`)).toContain('"ok"');
    expect(await tributary('status')).not.toContain('crm');
  });
  expect(down.received.at(-1)?.body).toBe('{"id":4}');
  await down.stop();
});

test('a user of Pipedream copies an account, and unchanged components emit here', async () => {
  const files = await serveFiles(PIPEDREAM);
  const { stdout } = await run(
    program,
    ['admin', 'users', 'create', '--username', 'there', '--email', 'there@localhost', '--json'],
    shell,
  );
  const { api_key: key } = z.object({ api_key: z.string() }).parse(JSON.parse(stdout));
  const api = await apiClient(service.base, key);
  await api.post('/sources', {
    component_url: `${files.origin}/interfaces/http/examples/batch-requests.js`,
    name: 'batch',
  });
  const path = 'components/http/sources/new-requests-payload-only/new-requests-payload-only.js';
  await walk('move', async () => {
    expect(await curl(`${service.base}/users/me/sources?limit=1`, { key: TEST_KEY })).toContain('"page_info"');
    const from = ['--from-pipedream', '--from-url', service.base, '--from-key', key];
    expect(await tributary('import', ...from, '--dry-run')).toContain('would make source batch');
    await tributary('import', ...from);
    await tributary('sources', 'enable', 'batch');
    const endpoint = endpointIn(await tributary('sources', 'get', 'batch'));
    for (const body of [{ id: 9 }, { type: 'end' }]) await curl(endpoint, { body });
    expect(await tributary('events', 'batch')).toContain('"id":9');
    const added = await tributary('sources', 'create', `${files.origin}/${path}`, '--name', 'requests');
    await curl(endpointIn(added), { body: { id: 10 } });
    expect(await tributary('events', 'requests')).toContain('"id":10');
  });
  await files.stop();
});
