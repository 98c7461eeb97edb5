import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFiles } from '../../support/files-over-http.ts';
import { npmTools } from '../../support/npm-tools.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { DEADLINE_MS } from '../../support/until.ts';

const run = promisify(execFile);
const HERE = fileURLToPath(new URL('.', import.meta.url));
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

const GENERATORS = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
};

let folder: string;
let service: Service;
let receiver: Receiver;
let files: Awaited<ReturnType<typeof serveFiles>>;
let tools: string;

beforeAll(async () => {
  tools = await npmTools('generators', GENERATORS);
  folder = mkdtempSync(join(tmpdir(), 'tributary-clients-'));
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  service = await startService({ dataDir: join(folder, '.data') });
  receiver = await Receiver.start();
  files = await serveFiles(folder);
  files.texts.set('/greeting.mjs', readFileSync(join(CHECKOUT, 'docs/examples/greeting.mjs'), 'utf8'));
  const document = await (await fetch(`${service.origin}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
}, 300_000);
afterAll(async () => {
  await files.stop();
  await receiver.stop();
  await stopService(service);
  rmSync(folder, { recursive: true, force: true });
});

const tool = (name: string, ...args: string[]) => run(join(tools, 'node_modules', '.bin', name), args, { cwd: folder });

/** Compiles strictly, without casts, against the generated types. */
async function compile(program: string): Promise<void> {
  const options = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: false,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(CHECKOUT, 'node_modules', '@types')],
  };
  const file = join(folder, `tsconfig-${program}.json`);
  writeFileSync(file, JSON.stringify({ compilerOptions: options, files: [program] }));
  await run(join(CHECKOUT, 'node_modules', '.bin', 'tsc'), ['-p', file], { cwd: folder }).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`${program} does not compile:\n${stdout.slice(0, 3_000)}`);
    },
  );
}

async function expectTour(program: string): Promise<void> {
  receiver.received.length = 0;
  files.texts.delete('/delivered');
  receiver.onReceived = () => files.texts.set('/delivered', 'yes');
  const tsx = join(CHECKOUT, 'node_modules', 'tsx', 'dist', 'loader.mjs');
  const { stdout } = await run(process.execPath, ['--import', tsx, program], {
    cwd: folder,
    timeout: DEADLINE_MS,
    env: {
      ...process.env,
      ORIGIN: service.origin,
      KEY: TEST_KEY,
      COMPONENT_URL: `${files.origin}/greeting.mjs`,
      HOOK_URL: receiver.url,
      DELIVERED_URL: `${files.origin}/delivered`,
    },
  });
  expect(JSON.parse(stdout)).toEqual({
    secret: expect.stringMatching(/^whsec_/) as string,
    filter: { greeting: [{ prefix: 'Ahoy' }] },
    event: { greeting: 'Ahoy, Ada!', count: 1 },
    summary: 'Greeted Ada',
    logs: 1,
    key: 'greeting',
    prop: 'http',
  });
  expect(receiver.bodies[0]).toEqual({ greeting: 'Ahoy, Ada!', count: 1 });
}

test(
  "types of openapi-typescript: the README's tour compiles without a cast, and runs",
  { timeout: 240_000 },
  async () => {
    await tool('openapi-typescript', 'openapi.json', '-o', 'schema.d.ts');
    cpSync(join(HERE, 'tour-openapi-fetch.txt'), join(folder, 'fetch-tour.ts'));
    expect(readFileSync(join(folder, 'fetch-tour.ts'), 'utf8')).not.toMatch(/ as |\bany\b|!\.|@ts-/);
    await compile('fetch-tour.ts');
    await expectTour('fetch-tour.ts');
  },
);

test(
  "a client of @hey-api/openapi-ts: the README's tour compiles without a cast, and runs",
  { timeout: 240_000 },
  async () => {
    await tool('openapi-ts', '-i', 'openapi.json', '-o', 'client', '-c', '@hey-api/client-fetch');
    cpSync(join(HERE, 'tour-hey-api.txt'), join(folder, 'hey-tour.ts'));
    expect(readFileSync(join(folder, 'hey-tour.ts'), 'utf8')).not.toMatch(/ as |\bany\b|!\.|@ts-/);
    await compile('hey-tour.ts');
    await expectTour('hey-tour.ts');
  },
);
