import { dirname } from 'node:path';
import { isFrame, shownFrames } from '../../../shared/domain/run/own-frame.ts';

const [, script = ''] = process.argv;
/** Longer lines are no frames. */
const LONGEST_FRAME = 1024;
/**
 * The position in a frame of Node, of the engine or of the bundle. Other text of a component may look like a frame,
 * too.
 */
const FOREIGN = /(?:^|[ (])(?:node:[^\s()]+:\d+:\d+|(?:[^\s()]*\/)?bundle\.m?js:\d+:\d+|<anonymous>|index \d+)\)?$/;

/**
 * Removes stack frames that are not of the component's own files: they show where this program is installed, or are of
 * no use to an author. Text that follows a frame stays: it may be the members of an error that is shown.
 */
export function withoutForeignFrames(text: string): string {
  if (!text.includes('\n') || !text.includes(' at ')) return text;
  const lines = text.split('\n');
  const isShown = shownFrames(lines);
  let shown = lines[0] ?? '';
  for (const line of lines.slice(1)) {
    const [frame, rest] = line.endsWith(' {') ? [line.slice(0, -2), ' {'] : [line, ''];
    shown += isForeign(frame) && !isShown(frame) ? rest : `\n${line}`;
  }
  return shown;
}

const isForeign = (line: string): boolean =>
  line.length <= LONGEST_FRAME && isFrame(line) && (line.includes(script) || FOREIGN.test(line));

/** Shortens paths of the bundle to its name. */
export function bundlePathRemover(bundle: string): (text: string) => string {
  const folder = `${dirname(bundle)}/`;
  return (text) => text.replaceAll(`file://${folder}`, '').replaceAll(folder, '');
}
