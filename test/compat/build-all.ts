import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { builderAsset } from '../functions/builder/asset.ts';

/**
 * Builds every source and example of the development dependency `pipedream` by address and loads what came out, in a process of its
 * own. Prints a line for each that fails: `node --import tsx test/compat/build-all.ts [part of a path]`.
 */
const package_ = 'node_modules/pipedream';
const [, , only = ''] = process.argv;
const components = readdirSync(package_, { recursive: true, encoding: 'utf8' })
  .filter((path) =>
    /^(?:components\/[^/]+\/sources\/.*|(?:interfaces\/http\/)?examples\/[^/]+)\.js$/.test(path),
  )
  .filter((path) => /^(?:components|interfaces|examples)/.test(path) && path.includes(only))
  .filter((path) => /\brun\b|\$\.interface|version\s*:/.test(readFileSync(join(package_, path), 'utf8')))
  .sort();

const asset = await builderAsset();
const folder = await mkdtemp(join(tmpdir(), 'build-all-'));
Object.assign(process.env, {
  LAMBDA_TASK_ROOT: asset.root,
  NPM_REGISTRY: 'https://registry.npmjs.org/',
  ALLOW_PRIVATE_NETWORK: '1',
  NETWORK_ALLOW_LIST: '',
  COMPONENT_HOSTS: '{}',
});
const { handler } = await import('../../functions/builder/index.ts');

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
  if (request.method === 'PUT') {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      writeFileSync(join(folder, path.slice(1)), Buffer.concat(chunks));
      response.end();
    });
    return;
  }
  try {
    response.end(readFileSync(join(package_, path)));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Says what the bundle holds, and whether that is what Node sees when it loads the file itself. */
const LOAD = `
const seen = (component) => JSON.stringify(component, (key, value) => typeof value === 'function' ? 'a function' : value);
import(process.argv[1]).then(({ default: component }) => {
  if (!component?.name && !component?.props) throw new Error('not a component');
  let plain;
  try { plain = seen(require(process.argv[2])); } catch {}
  const built = seen(component);
  console.log(plain === undefined ? 'unknown' : plain === built ? 'same' : 'different');
  process.exit(0);
}, (error) => { console.error(error.stack); process.exit(1) })`;
const load = promisify(execFile);
const counts: Record<string, number> = {};
let failed = 0;
const started = Date.now();
for (const path of components) {
  const at = Date.now();
  const uploads = { bundle: `${base}/bundle.mjs`, manifest: `${base}/manifest.json` };
  const outcome = await handler({ ownerId: 'u_1', url: `${base}/${path}`, uploads }).catch(
    (error: unknown) => ({ ok: false, message: `broken: ${String(error)}` }) as const,
  );
  const built = Date.now() - at;
  let message = outcome.ok ? '' : outcome.message;
  if (outcome.ok)
    await load(process.execPath, ['-e', LOAD, join(folder, 'bundle.mjs'), resolve(package_, path)]).then(
      ({ stdout }) => {
        const seen = stdout.trim();
        counts[seen] = (counts[seen] ?? 0) + 1;
        if (seen === 'different') message = 'differs from what Node sees';
      },
      (error: { stderr: string }) => {
        message = `load: ${error.stderr.split('\n').slice(0, 3).join(' ')}`;
      },
    );
  if (message) failed += 1;
  if (message || built > 3_000) console.log(path, `${built} ms`, message);
}
console.log(
  `${components.length - failed} of ${components.length} build and load, ${Math.round((Date.now() - started) / 1000)} s`,
);
console.log(counts);
server.close();
asset.remove();
process.exit(0);
