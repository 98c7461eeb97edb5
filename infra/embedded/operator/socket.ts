import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { BackUp } from '../backup/backup.ts';
import { AwsError, type Dispatch } from '../call.ts';
import { OPERATOR } from '../iam/authorizer.ts';
import { socketAddress, socketPath } from '../disk/socket-address.ts';
import { decode, encode } from './values.ts';

export const secretPath = (dataDir: string) => join(dataDir, 'admin.secret');

/** One line: a call of the operator, a backup to make, or with neither a request for the names of the stack. */
const Request = z.object({
  secret: z.string(),
  id: z.number(),
  call: z
    .object({
      service: z.enum(['DynamoDB', 'SQS', 'S3', 'Scheduler', 'Lambda', 'KMS', 'EventBridge']),
      operation: z.string(),
      input: z.record(z.string(), z.unknown()),
    })
    .optional(),
  backup: z.object({ path: z.string() }).optional(),
});

const NEWLINE = 0x0a;

/** Connections at once. A command has one. */
const MAX_CONNECTIONS = 64;
/** Longest line before its end. The largest calls write a batch of objects. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Longest line of a connection that has not shown the secret yet. Its first line asks for names. */
const MAX_FIRST_BYTES = 64 * 1024;
/** Time for the first line. */
const FIRST_LINE_MS = 10_000;

interface OperatorSocketOptions {
  dataDir: string;
  dispatch: Dispatch;
  backUp: BackUp;
  /** Data for the operator: outputs of the stack and environment for SDK clients. */
  about: object;
}

/**
 * Lets the operator on this machine make calls while the service has the data. A caller must know the secret in the
 * file next to the socket (mode 0600, both made at every start): user code may reach the socket but cannot read that
 * file.
 */
export async function openOperatorSocket({
  dataDir,
  ...responding
}: OperatorSocketOptions): Promise<{ close(): Promise<void> }> {
  const secret = randomBytes(32).toString('hex');
  await rm(secretPath(dataDir), { force: true });
  await writeFile(secretPath(dataDir), secret, { mode: 0o600 });
  // This process has the data directory, so an existing socket belongs to a dead process.
  await rm(socketPath(dataDir), { force: true });
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => connection.destroy());
    /** A command that ended wants no backup any more. */
    const closed = new AbortController();
    connection.on('close', () => {
      closed.abort();
    });
    let isKnown = false;
    let size = 0;
    const timer = setTimeout(() => connection.destroy(), FIRST_LINE_MS).unref();
    connection.on('data', (chunk: Buffer) => {
      const end = chunk.lastIndexOf(NEWLINE);
      size = end < 0 ? size + chunk.length : chunk.length - end - 1;
      if (size > (isKnown ? MAX_LINE_BYTES : MAX_FIRST_BYTES)) connection.destroy();
    });
    createInterface({ input: connection }).on('line', (line) => {
      void respond(line, { ...responding, secret, signal: closed.signal }).then((answered) => {
        if (answered === undefined) connection.destroy();
        else {
          isKnown = true;
          clearTimeout(timer);
          connection.write(`${JSON.stringify(answered)}\n`);
        }
      });
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, socketAddress(dataDir));
  await chmod(socketPath(dataDir), 0o600);
  return {
    async close() {
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(secretPath(dataDir), { force: true });
    },
  };
}

/** The umask keeps other users from connecting between the creation of the socket and the change of its mode. */
function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(0o177);
    server.listen(path, resolve);
    process.umask(before);
  });
}

interface RespondOptions extends Omit<OperatorSocketOptions, 'dataDir'> {
  readonly secret: string;
  /** Aborts when the connection is closed. */
  readonly signal: AbortSignal;
}

/** Undefined if the line lacks the secret. */
async function respond(
  line: string,
  { secret, dispatch, backUp, about, signal }: RespondOptions,
): Promise<object | undefined> {
  const { success, data } = Request.safeParse(parsed(line));
  if (!success || !sameText(data.secret, secret)) return undefined;
  const { id, call, backup } = data;
  try {
    if (backup) return { id, output: await backUp(backup.path, signal) };
    if (!call) return { id, output: about };
    const input = decode(call.input) as Record<string, unknown>;
    return { id, output: await encode(await dispatch({ ...call, role: OPERATOR, input })) };
  } catch (error) {
    if (!(error instanceof AwsError))
      return { id, error: { name: 'Error', message: String(error), statusCode: 500, members: {} } };
    const { name, message, statusCode, members } = error;
    return { id, error: { name, message, statusCode, members: await encode(members) } };
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

const sameText = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
