import * as sdk from '@aws-sdk/client-s3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AwsError, type Dispatch, type Output } from '../../../../infra/embedded/call.ts';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import type { Disk } from '../../../../infra/embedded/disk/disk.ts';
import { openDisk } from '../../../../infra/embedded/disk/open-disk.ts';
import { openPresignedSocket } from '../../../../infra/embedded/s3/presigned-socket.ts';
import { S3Service } from '../../../../infra/embedded/s3/service.ts';
import { s3RequestHandler } from '../../../support/aws-wire/s3-handler.ts';

export const ROLE = 'arn:aws:iam::000000000000:role/writer';
export const BUCKET = 'things';
export const SIGNER = { accessKeyId: 'AKIAWRITER', secretAccessKey: 'very/secret', sessionToken: 'token' };

export interface World {
  readonly service: S3Service;
  readonly clock: FakeClock;
  readonly directory: string;
  readonly dispatch: Dispatch;
  /** `action` or `action resource` that the role lacks. */
  readonly denied: Set<string>;
  reopen(): Promise<World>;
}

export async function aWorld(
  options: { directory?: string; clock?: FakeClock; maxPutBytes?: number; diskOf?: (disk: Disk) => Disk } = {},
): Promise<World> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 's3-')));
  const clock = options.clock ?? new FakeClock(Math.floor(Date.now() / 1000) * 1000);
  const { diskOf = (opened) => opened } = options;
  const disk = diskOf(await openDisk(join(directory, 'store'), { sync: 'always' }));
  const denied = new Set<string>();
  const isAllowed = (_role: string, action: string, resource: string) =>
    !denied.has(action) && !denied.has(`${action} ${resource}`);
  const service = new S3Service({ ...options, disk, dataDir: directory, clock, isAllowed });
  await service.load();
  service.createBucket({ name: BUCKET });
  const dispatch: Dispatch = async ({ role, operation, input }) => {
    for (const { action, resource } of service.requiredPermissions(operation, input)) {
      if (!isAllowed(role, action, resource)) throw new AwsError('AccessDenied', 'Access Denied', { statusCode: 403 });
    }
    return service.call(operation, input, role);
  };
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    service.stop();
    await disk.close();
  };
  onTestFinished(async () => {
    await close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    service,
    clock,
    directory,
    dispatch,
    denied,
    async reopen() {
      await close();
      return aWorld({ ...options, directory, clock });
    },
  };
}

/** One path of a call to the service. All paths must behave the same. */
interface Path {
  send(operation: string, input: Record<string, unknown>): Promise<Output>;
}

type Connect = (world: World) => Promise<Path>;

/** Directly to the service, with plain objects. */
const native: Connect = ({ dispatch }) =>
  Promise.resolve({ send: (operation, input) => dispatch({ role: ROLE, service: 'S3', operation, input }) });

/** Through the whole serialisation of an SDK client, without a socket. */
const serialised: Connect = ({ dispatch }) => {
  const requestHandler = s3RequestHandler((operation, input) =>
    dispatch({ role: ROLE, service: 'S3', operation, input }),
  );
  const client = new sdk.S3Client({
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1',
    credentials: SIGNER,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    requestHandler: requestHandler as never,
  });
  return Promise.resolve({ send: (operation, input) => sendWith(client, operation, input) });
};

export const paths: readonly (readonly [name: string, connect: Connect])[] = [
  ['called directly', native],
  ['serialised', serialised],
];

export async function aSocket({ clock, dispatch }: World): Promise<string> {
  const credentials = (accessKeyId: string) =>
    accessKeyId === SIGNER.accessKeyId ? { secretAccessKey: SIGNER.secretAccessKey, role: ROLE } : undefined;
  const socket = await openPresignedSocket({ clock, region: 'us-east-1', credentials, dispatch });
  onTestFinished(() => socket.close());
  return socket.endpoint;
}

async function sendWith(client: sdk.S3Client, operation: string, input: Record<string, unknown>): Promise<Output> {
  const Command = (sdk as unknown as Record<string, new (input: unknown) => sdk.PutObjectCommand>)[
    `${operation}Command`
  ];
  if (!Command) throw new Error(`No command for ${operation}.`);
  const output: Output = { ...(await client.send(new Command(input))) };
  delete output['$metadata'];
  return output;
}

interface Transformable {
  transformToString(): Promise<string>;
  transformToByteArray(): Promise<Uint8Array>;
}

export const bodyOf = (output: Output) => output['Body'] as Transformable;
