import { expect } from 'vitest';
import { freePort } from './free-port.ts';
import type { CommandSocket } from './pages/command-socket.ts';
import { followPage } from './pages/follow-page.ts';
import { type Service, TEST_KEY } from './service.ts';

interface TourOptions {
  folder: string;
  service: Pick<Service, 'origin'>;
  /** The command line in the place of `npx tributary`; by default the one that is installed in the folder. */
  commands?: CommandSocket;
  env?: Record<string, string>;
}

const INSTALLED: CommandSocket = { functions: '', env: {}, close: () => Promise.resolve() };

/** Follows the README's tour in a folder, which has the examples of the docs. */
export async function expectTour({ folder, service, commands = INSTALLED, env = {} }: TourOptions): Promise<void> {
  const port = String(await freePort());
  const output = await followPage('README.md', {
    folder,
    between: ['<!-- tour: begin -->', '<!-- tour: end -->'],
    commands,
    env: { KEY: TEST_KEY, PLAYGROUND_PORT: port, ...env },
    replacements: [
      ['http://127.0.0.1:3000', service.origin],
      ['127.0.0.1:4000', `127.0.0.1:${port}`],
    ],
  });
  expect(output).toContain('"summary":"Greeted Ada"');
}
