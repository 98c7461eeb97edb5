import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { fdatasync, openSync, write } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Pool } from 'undici';

/**
 * A request → an append that is on the device before the response → code in a child process → a signed POST to each
 * webhook, with the leanest HTTP client for Node or with the one that is built in. It has no API, queue, retry, order,
 * limit or isolation, and reads nothing that it stored.
 */
const [, , folder = '', client = '', ...urls] = process.argv;
const KEY = randomBytes(32);
const CONNECTIONS = 64;
const append = promisify(write);
const flush = promisify(fdatasync);
const journal = openSync(join(folder, 'journal'), 'a');

const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'floor-component.mjs')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
if (!child.stdout || !child.stdin) throw new Error('The child has no pipes.');
const toChild = child.stdin;
createInterface({ input: child.stdout }).on('line', deliver);

type Post = (headers: Record<string, string>, body: string) => Promise<unknown>;

function pooled(url: string): Post {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  return async (headers, body) => {
    const response = await pool.request({ method: 'POST', path, headers, body });
    await response.body.dump();
  };
}

function fetched(url: string): Post {
  return async (headers, body) => {
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
  };
}

const posts = urls.map(client === 'fetch' ? fetched : pooled);

function deliver(body: string): void {
  const id = randomUUID();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  for (const post of posts) void post(headers, body);
}

interface Accepted {
  readonly body: string;
  readonly response: ServerResponse;
}

let accepted: Accepted[] = [];
let isCommitting = false;

/** One append and one flush for all requests that came during the last one. */
async function commit(): Promise<void> {
  if (isCommitting) return;
  isCommitting = true;
  while (accepted.length > 0) {
    const group = accepted;
    accepted = [];
    const lines = group.map(({ body }) => `${body}\n`).join('');
    await append(journal, lines);
    await flush(journal);
    for (const { response } of group) response.end();
    toChild.write(lines);
  }
  isCommitting = false;
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    accepted.push({ body: Buffer.concat(parts).toString(), response });
    void commit();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on ${(server.address() as AddressInfo).port}`);
});
// The program ends with its bench.
process.stdin.on('end', () => process.exit()).resume();
