import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { CommandTree } from '../command-tree.ts';
import { openInBrowser } from '../output/open-browser.ts';
import type { Session } from '../session/command-session.ts';

/** Time for the browser to read the file with the key. */
const FILE_LIFETIME_MS = 10_000;

/** `open`: the console, signed in. */
export function addOpenCommand({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'open',
    about: 'Open the console in the browser, signed in.',
    input: z.object({}),
    examples: [
      ['tributary open', 'of the service that other commands use'],
      ['tributary open --profile prod', 'of another one'],
    ],
    run: openConsole,
  });
}

async function openConsole(session: Session): Promise<void> {
  const { output, terminal } = session;
  const { base, key } = await session.target();
  const address = `${base.replace(/\/v1$/, '')}/console`;
  const stopped = terminal.interrupted();
  // Arguments are visible to other users, so the key travels in a file that only this user can read.
  const folder = await mkdtemp(join(tmpdir(), 'tributary-open-'));
  try {
    const file = join(folder, 'console.html');
    await writeFile(file, redirectTo(`${address}#key=${encodeURIComponent(key)}`), { mode: 0o600 });
    const isOpened = await openInBrowser(pathToFileURL(file).href, terminal.env);
    output.result({ id: address, url: address, opened: isOpened }, isOpened ? `Opened ${address}` : address);
    if (isOpened) await delay(FILE_LIFETIME_MS, undefined, { signal: stopped }).catch(() => undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The address is of a valid base and an encoded key, so it needs no escapes beyond `&`. */
function redirectTo(address: string): string {
  const url = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}">\n`;
}
