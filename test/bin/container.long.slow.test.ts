import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCommandSocket } from '../support/pages/command-socket.ts';
import { expectTour } from '../support/readme-tour.ts';
import { commandOf, descendants, type Service, serviceOf, stopService, TEST_KEY } from '../support/service.ts';
import { buildImage, NODE_USER, type SimulatedImage } from '../support/simulated-image.ts';
import { freePort } from '../support/free-port.ts';

/** Steps of the image change the owners of files. */
const isRoot = process.getuid?.() === 0;

let folder: string;
let image: SimulatedImage;
beforeAll(async () => {
  if (!isRoot) return;
  folder = mkdtempSync(join(tmpdir(), 'tributary-container-'));
  // The user of the image passes through.
  chmodSync(folder, 0o711);
  const context = join(folder, 'context');
  mkdirSync(context);
  // The files of a clone.
  execFileSync('sh', ['-c', `git ls-files -z | xargs -0 cp --parents -t ${context}`]);
  image = await buildImage({ file: 'infra/container/Containerfile', context, folder });
});
afterAll(() => {
  if (isRoot) rmSync(folder, { recursive: true, force: true });
});

test.runIf(isRoot)(
  "the steps of the Containerfile make an image whose service runs the README's tour, as a user without rights and with a root that is read-only",
  async () => {
    const volume = join(folder, 'volume');
    mkdirSync(volume, { mode: 0o700 });
    chownSync(volume, NODE_USER, NODE_USER);
    const [port, ingressPort] = [String(await freePort()), String(await freePort())];
    const env = {
      HOST: '127.0.0.1',
      PORT: port,
      INGRESS_PORT: ingressPort,
      API_KEY: TEST_KEY,
      ISOLATION: 'sandbox',
    };
    const started = { volume, env };
    expect(image.user).toBe('node');
    const service = await serviceOf(image.start([...image.entrypoint, ...image.command], started));
    try {
      expect(service.output()).toContain('components run in a sandbox');
      expect(await ended(image.start(image.healthCheck, started))).toBe(0);
      const tour = mkdtempSync(join(folder, 'tour-'));
      cpSync('docs/examples', join(tour, 'docs', 'examples'), { recursive: true });
      const commands = await openCommandSocket(tour);
      const access = { TRIBUTARY_URL: service.origin, TRIBUTARY_API_KEY: TEST_KEY };
      try {
        await expectTour({ folder: tour, service, commands, env: access });
      } finally {
        await commands.close();
      }
      expect(await ended(image.start(['touch', '/opt/file'], started))).not.toBe(0);
      expect(await ended(image.start([...image.entrypoint, 'whoami'], started))).toBe(0);
      process.kill(commandIn(service), 'SIGTERM');
      expect(await service.ended).toBe(0);
    } finally {
      await stopService(service);
    }
    expect(await ended(image.start(image.healthCheck, started)), 'the health of a stopped service').toBe(1);
  },
);

test.runIf(isRoot)('the image has two ports, a volume and a health check', () => {
  expect(image.ports).toEqual(['3000', '3001']);
  expect(image.volumes).toEqual(['/data']);
  expect(image.healthCheck).not.toEqual([]);
});

/**
 * The command of the container. The init process of bubblewrap, which started it, takes no signal, and an engine's
 * passes them on.
 */
const commandIn = (service: Service): number =>
  descendants(service.process.pid ?? 0).find((pid) => commandOf(pid)[0] !== 'bwrap') ??
  expect.fail('the container has no command');

const ended = (child: ReturnType<SimulatedImage['start']>): Promise<number | null> =>
  new Promise((resolve) => child.on('exit', resolve));
