import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { BackUp } from '../backup/backup.ts';
import { endedRefusal } from '../backup/refusals.ts';
import { AwsError, type Dispatch } from '../call.ts';
import { socketAddress } from '../disk/socket-address.ts';
import { secretPath } from './socket.ts';
import { decode, encode } from './values.ts';

const OperatorResponse = z.object({
  id: z.number(),
  output: z.record(z.string(), z.unknown()).optional(),
  error: z
    .object({
      name: z.string(),
      message: z.string(),
      statusCode: z.number(),
      members: z.record(z.string(), z.unknown()),
    })
    .optional(),
});
type OperatorResponse = z.infer<typeof OperatorResponse>;

const About = z.object({
  outputs: z.record(z.string(), z.string()),
  environment: z.record(z.string(), z.string()),
});

const Report = z.object({ path: z.string(), bytes: z.number(), entries: z.number(), files: z.number() });

/** A cloud for its operator, whether the service runs or not. */
export interface OperatorAccess {
  readonly dispatch: Dispatch;
  readonly backUp: BackUp;
  /** Version of the service that runs; undefined when none runs. */
  readonly runningVersion: string | undefined;
  readonly outputs: Readonly<Record<string, string>>;
  /** Environment for SDK clients: region, credentials and S3 endpoint. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const ENDED = 'The service ended before it answered.';

/** Connects to the service that runs on a data directory, if one runs. */
export async function connectOperator(dataDir: string): Promise<OperatorAccess | undefined> {
  const connection = await connected(socketAddress(dataDir));
  if (!connection) return undefined;
  const secret = await readFile(secretPath(dataDir), 'utf8').catch((cause: unknown) => {
    connection.destroy();
    throw new Error(
      `The service runs, but ${secretPath(dataDir)} cannot be read: run this command as the user of the service.`,
      {
        cause,
      },
    );
  });
  const waiting = new Map<number, (response: OperatorResponse | undefined) => void>();
  let lastId = 0;
  createInterface({ input: connection }).on('line', (line) => {
    const response = OperatorResponse.parse(JSON.parse(line));
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  let isClosed = false;
  connection.on('close', () => {
    isClosed = true;
    for (const end of waiting.values()) end(undefined);
  });
  connection.on('error', () => connection.destroy());

  async function ask(request: { call?: object; backup?: object }): Promise<Record<string, unknown>> {
    if (isClosed) throw new Error(ENDED);
    const id = (lastId += 1);
    const answered = new Promise<OperatorResponse | undefined>((resolve) => waiting.set(id, resolve));
    connection?.write(`${JSON.stringify({ secret, id, ...request })}\n`);
    const response = await answered;
    if (!response) throw new Error(ENDED);
    if (!response.error) return response.output ?? {};
    const { name, message, statusCode, members } = response.error;
    throw new AwsError(name, message, { statusCode, members: decode(members) as Record<string, unknown> });
  }

  const about = About.parse(await ask({}));
  return {
    ...about,
    runningVersion: about.outputs['Version'] ?? 'unknown',
    dispatch: async ({ service, operation, input }) =>
      decode(await ask({ call: { service, operation, input: await encode(input) } })) as Record<string, unknown>,
    async backUp(path, signal) {
      // An interruption may have come while this connected.
      if (signal.aborted) throw endedRefusal();
      signal.addEventListener('abort', () => connection.destroy());
      const { success, data } = Report.safeParse(await ask({ backup: { path } }));
      if (success) return data;
      throw new Error('The service that runs is of a release without backups: start this release.');
    },
    close() {
      connection.end();
      return Promise.resolve();
    },
  };
}

/** Error codes of a path without a socket, without a process behind it, or without a directory. */
const UNUSED = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR']);

/** Undefined if no process listens. */
function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const connection = connect(path, () => {
      resolve(connection);
    });
    connection.once('error', (error: NodeJS.ErrnoException) => {
      if (UNUSED.has(error.code ?? '')) resolve(undefined);
      else reject(new Error(`The service cannot be reached at ${path}: ${error.message}`, { cause: error }));
    });
  });
}
