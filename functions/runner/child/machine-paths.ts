import { dirname } from 'node:path';

const [, script = ''] = process.argv;
/** A stack frame of this program. The rest of the line stays: it may be the members of an error that is shown. */
const OWN_FRAME = new RegExp(
  `\\n +at [^\\n]*${script.replace(/[^\w/]/g, '\\$&')}[^\\n]*?(?=(?: \\{)?(?:\\n|$))`,
  'g',
);

/** Removes this program's stack frames, which would show where it is installed. */
export const withoutOwnFrames = (text: string): string =>
  text.includes(script) ? text.replace(OWN_FRAME, '') : text;

/** Shortens paths of the bundle to its name. */
export function bundlePathRemover(bundle: string): (text: string) => string {
  const folder = `${dirname(bundle)}/`;
  return (text) => text.replaceAll(`file://${folder}`, '').replaceAll(folder, '');
}
