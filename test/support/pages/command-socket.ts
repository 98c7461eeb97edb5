import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { writeFileSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import * as z from 'zod';
import { lazyAdminGroup } from '../../../bin/lazy-admin-group.ts';
import { runCommandLine } from '../../../bin/tributary/run-command-line.ts';
import type { TestCloud } from '../cloud.ts';
import { operatorAt } from '../operator.ts';

const Call = z.object({
  program: z.enum(['tributary', 'admin']),
  argv: z.array(z.string()),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
});

/**
 * The program that the pages' `npx tributary` and `npm run admin` start: it passes its call on, because Node starts
 * fast and TypeScript does not.
 */
const CLIENT = `
import { connect } from 'node:net';
const [program, ...argv] = process.argv.slice(2);
const socket = connect(process.env.COMMAND_SOCKET);
socket.write(JSON.stringify({ program, argv, cwd: process.cwd(), env: process.env }) + '\\n');
process.stdin.on('data', (chunk) => socket.write(JSON.stringify({ in: chunk.toString() }) + '\\n'));
process.stdin.on('end', () => socket.write(JSON.stringify({ in: null }) + '\\n'));
let rest = '';
socket.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { out, error, code } = JSON.parse(line);
    if (out !== undefined) process.stdout.write(out);
    if (error !== undefined) process.stderr.write(error);
    if (code !== undefined) process.exitCode = code;
    if (code !== undefined) { socket.destroy(); process.stdin.destroy(); }
  }
});
`;

const noService = () => Promise.reject(new Error('The service does not start inside of a test'));

export interface CommandSocket {
  /** Shell functions that stand for `npx tributary` and `npm run --silent admin`. */
  readonly functions: string;
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

/** Runs the commands of other processes in this one; those of the operator against a cloud of this process. */
export async function openCommandSocket(folder: string, cloud?: TestCloud): Promise<CommandSocket> {
  const path = join(folder, 'commands.sock');
  const client = join(folder, 'command.mjs');
  writeFileSync(client, CLIENT);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    void serve(socket, cloud);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    functions: [
      `npx() { shift; node ${client} tributary "$@"; }`,
      `npm() { shift 4; node ${client} admin "$@" </dev/null; }`,
    ].join('\n'),
    env: { COMMAND_SOCKET: path },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(socket: Socket, cloud: TestCloud | undefined): Promise<void> {
  const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
  const stdin = new PassThrough();
  const stop = new AbortController();
  socket.on('close', () => {
    stop.abort();
  });
  const lines = createInterface({ input: socket });
  const first = await new Promise<string>((resolve) => lines.once('line', resolve));
  lines.on('line', (line) => {
    const { in: text } = z.object({ in: z.string().nullable() }).parse(JSON.parse(line));
    if (text === null) stdin.end();
    else stdin.write(text);
  });
  const { program, argv, cwd, env } = Call.parse(JSON.parse(first));
  const screen = (name: 'out' | 'error') =>
    new Writable({
      write(chunk: Buffer, _, done) {
        send({ [name]: chunk.toString() });
        done();
      },
    });
  const [stdout, stderr] = [screen('out'), screen('error')];
  const terminal = { env, cwd, stdin, stdout, stderr, interrupted: () => stop.signal };
  const code = await runCommandLine(program === 'admin' ? ['admin', ...argv] : argv, terminal, {
    run: noService,
    addAdmin: lazyAdminGroup((_, use) => (cloud ? use(operatorAt(cloud)) : noService())),
  });
  send({ code });
}
