import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeOnce } from '../../../../infra/packages/made-once.ts';
import { cacheFolder } from '../../../support/cache-folder.ts';
import { freePort } from '../../../support/free-port.ts';
import type { LoadedProgram } from '../closed-loop.ts';
import { startPeer, type StartedPeer } from './peer.ts';
import { printed } from './printed.ts';

/** The newest version for Node 20. */
const VERSION = '4.1.8';
const PATH = '/in';

/**
 * Node-RED with a flow: a request → code → the request's response, and a POST to each webhook. Nothing is stored,
 * signed or retried.
 */
export const startNodeRed = (webhooks: number): Promise<LoadedProgram> => startPeer(webhooks, start);

/** Node-RED, installed once from the registry that npm is configured with. */
const installed = (): Promise<string> =>
  madeOnce(cacheFolder(`node-red-${VERSION}`), async (folder) => {
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
    await promisify(execFile)('npm', [...words, `node-red@${VERSION}`], { cwd: folder });
  });

async function start(urls: readonly string[]): Promise<StartedPeer> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-node-red-'));
  const port = await freePort();
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(flow(urls)));
  writeFileSync(join(folder, 'settings.cjs'), `module.exports = ${JSON.stringify(settings(folder, port))};`);
  const words = [join(await installed(), 'node_modules/node-red/red.js'), '--settings', join(folder, 'settings.cjs')];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  await printed(child, /Started flows/);
  return { process: child, ingress: `http://127.0.0.1:${port}`, path: PATH };
}

/** Without editor, and without requests to the project's servers. */
const settings = (folder: string, port: number) => ({
  uiHost: '127.0.0.1',
  uiPort: port,
  userDir: folder,
  flowFile: join(folder, 'flows.json'),
  credentialSecret: false,
  httpAdminRoot: false,
  telemetry: { enabled: false },
  diagnostics: { enabled: false },
  logging: { console: { level: 'info', metrics: false, audit: false } },
});

function flow(urls: readonly string[]) {
  const z = 'bench';
  const posts = urls.map((url, n) => ({
    id: `post${n}`,
    type: 'http request',
    z,
    method: 'POST',
    url,
    ret: 'txt',
    paytoqs: 'ignore',
    persist: true,
    wires: [[]],
  }));
  const code = "return [{ req: msg.req, res: msg.res, payload: '' }, { payload: msg.payload }];";
  return [
    { id: z, type: 'tab', label: z },
    { id: 'in', type: 'http in', z, url: PATH, method: 'post', wires: [['code']] },
    {
      id: 'code',
      type: 'function',
      z,
      func: code,
      outputs: 2,
      wires: [['response'], posts.map(({ id }) => id)],
    },
    { id: 'response', type: 'http response', z, statusCode: '200', wires: [] },
    ...posts,
  ];
}
