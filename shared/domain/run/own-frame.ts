/**
 * A frame of a stack, with the file and the line. Frames of the component's own files have no column, unlike those of
 * packages and Node.
 */
const FRAME = /^ +at (?:.* \()?(?:async )?(.+?):(\d+)\)?$/;
const HAS_LINE = /:\d+$/;
/** A longer line is no frame of a component's file. */
const LONGEST_FRAME = 1024;

const START = /^ +at /;
export const isFrame = (line: string): boolean => START.test(line);

/** `component.mjs:3`, the position that a frame of the component's own files names. */
export function ownPosition(frame: string): string | undefined {
  if (frame.length > LONGEST_FRAME) return undefined;
  const [, file, line] = FRAME.exec(frame) ?? [];
  return file === undefined || HAS_LINE.test(file) ? undefined : `${file}:${line}`;
}

/** A frame of compiled code, which includes packages. Frames of Node and of this program have other files. */
const OF_PACKAGE = /(?:^|[/ (])bundle\.m?js:\d+:\d+\)?$/;
const isPackageFrame = (line: string): boolean => line.length <= LONGEST_FRAME && OF_PACKAGE.test(line);

/** Selects the frames to show: those of the component's own files, or of packages where there are no others. */
export function shownFrames(lines: readonly string[]): (frame: string) => boolean {
  return lines.some((line) => ownPosition(line) !== undefined)
    ? (frame) => ownPosition(frame) !== undefined
    : isPackageFrame;
}

const CARET = /^ +\^$/;

/** The block of a stack that shows the code of its innermost frame: the line, and a caret below it. */
export function codeIn(stack: string): string | undefined {
  const lines = stack.split('\n');
  const at = lines.findIndex((line) => CARET.test(line));
  return at > 0 ? lines.slice(at - 1, at + 1).join('\n') : undefined;
}

/** The position of the innermost frame of the component's own files. */
export function innermostPosition(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const position = ownPosition(line);
    if (position !== undefined) return position;
  }
  return undefined;
}
