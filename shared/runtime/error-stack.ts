import { isFrame, ownPosition, shownFrames } from '../domain/run/own-frame.ts';
import { type ChainedError, textIn } from './error-chain.ts';
import type { Dict } from './guards.ts';

/** Frames of an error that are looked at; a stack may be any text. */
const MAX_LINES = 200;
const LONGEST_STACK = 64 * 1024;

/**
 * The stack's lines below its head, without the frames of Node and of the service, and without those of packages if
 * there are own ones.
 */
export function ownFrames(error: Dict, head: string): string[] {
  const stack = (textIn(error, 'stack') ?? '').slice(0, head.length + LONGEST_STACK);
  // A message may have been changed since, and may have lines that look like frames.
  const rest = stack.startsWith(head) ? stack.slice(head.length) : fromFirstFrame(stack);
  const lines = rest.split('\n', MAX_LINES).slice(1);
  const isShown = shownFrames(lines);
  return lines.filter((line) => line !== '' && (!isFrame(line) || isShown(line)));
}

function fromFirstFrame(stack: string): string {
  const start = stack.search(/\n +at /);
  // A stack without frames is a text of the component.
  return start < 0 ? `\n${stack}` : stack.slice(start);
}

/**
 * The stacks of causes, as far as they name lines of the component. The message of the error has the messages of the
 * other causes.
 */
export const causesText = (chain: readonly ChainedError[], headOf: (error: Dict) => string): string =>
  chain
    .slice(1)
    .map(({ error }) => ({
      head: headOf(error),
      frames: ownFrames(error, headOf(error)).filter((line) => ownPosition(line) !== undefined),
    }))
    .filter(({ frames }) => frames.length > 0)
    .map(({ head, frames }) => `\nCaused by: ${[head, ...frames].join('\n')}`)
    .join('');
