import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { buildProgram } from '../../../infra/embedded/programs.ts';
import { createPrivateFiles } from '../../../infra/embedded/disk/private-files.ts';
import type { Target } from './attack.ts';
import { closeServer } from '../../support/close-server.ts';

/** Everything on this machine that attacks aim at. */
export interface Targets {
  target: Target;
  /** Path of the spawner's program. */
  spawnerProgram: string;
  /** Names of the servers that got a request or a packet. */
  reached: string[];
  close(): Promise<void>;
}

export async function openTargets(): Promise<Targets> {
  createPrivateFiles();
  // Outside of /tmp, which is the component's own.
  const folder = mkdtempSync('/var/tmp/attacks-');
  const spawnerProgram = join(folder, 'spawner.cjs');
  await buildProgram('spawner', spawnerProgram);
  const canary = join(folder, 'canary.json');
  writeFileSync(canary, '"canary"', { mode: 0o600 });
  const neighbour = join(folder, 'neighbour');
  mkdirSync(neighbour, { mode: 0o700 });
  writeFileSync(join(neighbour, 'file'), 'canary', { mode: 0o600 });

  const reached: string[] = [];
  const servers: Server[] = [];
  const listening = async (server: Server, options: ListenOptions): Promise<number> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(options, resolve));
    const found = server.address();
    return found !== null && typeof found === 'object' ? found.port : 0;
  };
  const answering = (name: string, outcome: string): Server =>
    createHttpServer((_, response) => {
      reached.push(name);
      response.end(outcome);
    });
  const greeting = (name: string): Server =>
    createServer((connection) => {
      reached.push(name);
      connection.on('error', () => undefined).end('secret');
    });

  const sharedMemory = makeSharedMemory();
  const socket = join(folder, 'operator.sock');
  await listening(greeting('socket'), { path: socket });
  const abstract = `\0${folder}`;
  await listening(greeting('abstract'), { path: abstract });
  const udp = createSocket('udp4').on('message', () => reached.push('udp'));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const onLoopback = { port: 0, host: '127.0.0.1' };
  const target: Target = {
    canary,
    folder,
    neighbour: join(neighbour, 'file'),
    ownPort: await listening(answering('service', 'the service'), { port: 0, host: '0.0.0.0' }),
    runtimePort: await listening(answering('runtime', 'an invocation'), onLoopback),
    serverPort: await listening(answering('server', 'a response'), onLoopback),
    udpPort: udp.address().port,
    socket,
    abstract,
    machine:
      Object.values(networkInterfaces())
        .flatMap((each) => each ?? [])
        .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1',
    service: process.pid,
    hostName: hostname(),
  };
  return {
    target,
    spawnerProgram,
    reached,
    close: async () => {
      await Promise.all(servers.map((server) => closeServer(server)));
      udp.close();
      if (sharedMemory !== undefined) execFileSync('ipcrm', ['-m', sharedMemory]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Id of a segment of shared memory. Undefined where the program is missing. */
function makeSharedMemory(): string | undefined {
  try {
    return /\d+/.exec(execFileSync('ipcmk', ['-M', '16'], { encoding: 'utf8' }))?.[0];
  } catch {
    return undefined;
  }
}
