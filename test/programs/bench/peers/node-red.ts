import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../support/free-port.ts';
import type { LoadedProgram } from '../closed-loop.ts';
import { installedFile, node24 } from './installed.ts';
import { startPeer, type StartedPeer } from './peer.ts';
import { printed } from './printed.ts';

/** The newest version on 2026-11-29. */
const VERSION = '5.0.7';
const PATH = '/in';

/**
 * Node-RED in production mode, on the Node that it recommends, with a flow: a request → code → the request's response,
 * and a POST to each webhook. Nothing is stored, signed or retried. https://nodered.org/docs/faq/node-versions
 */
export const startNodeRed = (webhooks: number): Promise<LoadedProgram> => startPeer(webhooks, start);

async function start(urls: readonly string[]): Promise<StartedPeer> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-node-red-'));
  const port = await freePort();
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(flow(urls)));
  writeFileSync(join(folder, 'settings.cjs'), `module.exports = ${JSON.stringify(settings(folder, port))};`);
  const words = [await installedFile('node-red', VERSION, 'red.js'), '--settings', join(folder, 'settings.cjs')];
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(await node24(), words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
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
