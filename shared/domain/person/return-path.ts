import { CONSOLE_PATH } from './session-names.ts';

const LONGEST_PATH = 512;

/** Whether a text is a path of the console, with its query: nothing that a browser takes for another host. */
export function isConsolePath(text: string): boolean {
  if (text.length > LONGEST_PATH || !/^\/console(?:[/?#]|$)/.test(text) || !/^[\x21-\x7e]*$/.test(text)) return false;
  if (text.includes('\\')) return false;
  const base = 'https://host.invalid';
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  // `/console/../v1` leaves the console.
  return url?.origin === base && (url.pathname === CONSOLE_PATH || url.pathname.startsWith(`${CONSOLE_PATH}/`));
}
