import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LEVELS } from '../../infra/embedded/isolation/levels.ts';
import { Spawner } from '../../infra/embedded/isolation/spawner.ts';
import { buildProgram } from '../../infra/embedded/programs.ts';
import { Runner, source } from '../unit/functions/runner/harness.ts';
import { answerAt, type Attack, type Target } from './attack.ts';
import { files } from './files.ts';
import { availableLevels } from './levels.ts';
import { network } from './network.ts';
import { processes } from './process.ts';

/** Every attempt of docs/isolation.md, at every level of this machine. */

// Outside of /tmp, which is the component's own.
const folder = mkdtempSync('/var/tmp/attacks-');
const spawnerProgram = join(folder, 'spawner.cjs');
const canary = join(folder, 'canary.json');
const servers: Server[] = [];
let udp: UdpSocket;
let target: Target;
/** Requests and packets that a server got which no component may reach. */
const reached: string[] = [];

async function listening(server: Server, ...address: [number, string] | [string]): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(...(address as [number, string]), resolve));
  const found = server.address();
  return found !== null && typeof found === 'object' ? found.port : 0;
}

const httpServer = (name: string, answer: string) =>
  createHttpServer((_, response) => {
    reached.push(name);
    response.end(answer);
  });

beforeAll(async () => {
  await buildProgram('spawner', spawnerProgram);
  writeFileSync(canary, '"canary"', { mode: 0o600 });
  process.env['CANARY_KEY'] = 'canary-key';
  const neighbour = join(folder, 'neighbour');
  mkdirSync(neighbour, { mode: 0o700 });
  writeFileSync(join(neighbour, 'file'), 'canary', { mode: 0o600 });
  const socket = join(folder, 'operator.sock');
  await listening(
    createServer((connection) => {
      reached.push('socket');
      connection.end('secret');
    }),
    socket,
  );
  udp = createSocket('udp4').on('message', () => reached.push('udp'));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  target = {
    canary,
    folder,
    neighbour: join(neighbour, 'file'),
    ownPort: await listening(httpServer('service', 'the service'), 0, '0.0.0.0'),
    runtimePort: await listening(httpServer('runtime', 'an invocation'), 0, '127.0.0.1'),
    serverPort: await listening(httpServer('server', 'an answer'), 0, '127.0.0.1'),
    udpPort: (udp.address() as AddressInfo).port,
    socket,
    machine:
      Object.values(networkInterfaces())
        .flatMap((each) => each ?? [])
        .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1',
    service: process.pid,
  };
});
afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  udp.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A component that makes the attempt and emits what it got. */
const component = ({ code }: Attack) =>
  source(
    `async run() {
      const target = ${JSON.stringify(target)};
      let got;
      try { got = await (${code}); } catch (error) { got = error.cause?.code ?? error.code ?? error.message; }
      this.$emit({ got: String(got) });
    }`,
    `import fs from 'node:fs'; import http from 'node:http'; import net from 'node:net'; import os from 'node:os';
     import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
  );

for (const level of LEVELS) {
  describe.runIf(availableLevels.includes(level))(`${level}: a component cannot`, () => {
    let spawner: Spawner;
    let runner: Runner;
    let closed: Runner;
    beforeAll(async () => {
      spawner = new Spawner(spawnerProgram, { asked: level });
      expect(await spawner.level).toBe(level);
      spawner.refusePorts([target.ownPort]);
      const env = { AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${target.runtimePort}` };
      runner = await Runner.start({ processes: spawner, env });
      closed = await Runner.start({
        processes: spawner,
        env,
        network: { allowPrivate: false, allowList: [] },
      });
    });
    afterAll(async () => {
      await runner.close();
      await closed.close();
      await spawner.close();
    });

    test.each([...files, ...processes, ...network])('$attempt', async (attack) => {
      reached.length = 0;
      const answer = await (attack.publicOnly === true ? closed : runner).run(component(attack));

      expect(answer.events, JSON.stringify(answer.lines)).toEqual([{ got: answerAt(attack, level) }]);
      expect(reached.filter((name) => name !== 'runtime' || level !== 'sandbox')).toEqual([]);
      expect(readFileSync(canary, 'utf8')).toBe('"canary"');
    });
  });
}
