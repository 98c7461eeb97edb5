import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const APP = 'functions/console/app';

/** The addresses of the console's router: `/console/sources/:id`. */
export const ROUTES: readonly string[] = [
  ...readFileSync(join(APP, 'routes.tsx'), 'utf8').matchAll(/<Route path="([^"]+)"/g),
].map(([, path = '']) => path);

/** The route of an address. The first fitting one counts. */
export function routeOf(address: string): string | undefined {
  const [path = ''] = address.split('?');
  return ROUTES.find((route) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path));
}

/** Dialogs that take their title from the component around them. */
const WRAPPERS = ['delete-button', 'menu', 'question'];

const DIALOG = /(?:<(?:Modal|Question|DeleteButton)\b[^<]*?\btitle=|deleteAction\(\s*)\{?(?:["'`]([^"'`]+)|(\w+))/g;

/**
 * The dialogs of the console, as `file: title`. Those of the page of a portal link have tests of their own. In the
 * title, a part that differs from dialog to dialog is `…`; a title that the file makes elsewhere is the name of its
 * variable.
 */
export function dialogTitles(): readonly string[] {
  const files = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.tsx') && !name.startsWith('portal/'),
  );
  const titles = files.flatMap((path) => {
    const file = basename(path, '.tsx');
    if (WRAPPERS.includes(file)) return [];
    const found = readFileSync(join(APP, path), 'utf8').matchAll(DIALOG);
    return [...found].map(([, text, name = '']) => `${file}: ${(text ?? name).replace(/\$\{[^}]+\}/g, '…')}`);
  });
  return [...new Set(titles)].sort();
}
