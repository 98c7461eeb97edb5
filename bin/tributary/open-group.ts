import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { CommandTree } from './command-tree.ts';
import type { Session } from './command-session.ts';

/** Time for the browser to read the file with the key. */
const FILE_LIFETIME_MS = 10_000;
const OPENER_MS = 2_000;

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
    const isOpened = await openFile(pathToFileURL(file).href, terminal.env);
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

/** Whether a browser took the address. */
function openFile(url: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const [command, ...args] = openerOf(env);
  if (command === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env: { ...env } });
    // An opener that does not end is the browser itself.
    const timer = setTimeout(decide, OPENER_MS, true);
    child.on('error', () => {
      decide(false);
    });
    child.on('exit', (code) => {
      decide(code === 0);
    });

    function decide(isOpened: boolean): void {
      clearTimeout(timer);
      child.unref();
      resolve(isOpened);
    }
  });
}

function openerOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const browser = env['BROWSER'];
  if (browser !== undefined && browser !== '') return [browser];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDisplay = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return hasDisplay ? ['xdg-open'] : [];
}
