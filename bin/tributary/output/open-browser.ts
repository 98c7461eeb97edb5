import { spawn } from 'node:child_process';

/** An opener that runs for longer is the browser itself. */
const OPENER_MS = 2_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a browser took the address. */
export function openInBrowser(url: string, env: Environment): Promise<boolean> {
  const [command, ...args] = openerOf(env);
  if (command === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env: { ...env } });
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

function openerOf(env: Environment): string[] {
  const browser = env['BROWSER'];
  if (browser !== undefined && browser !== '') return [browser];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDisplay = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return hasDisplay ? ['xdg-open'] : [];
}
