import { codeFrame } from '../lib/code-frame.ts';
import { isDict, isFunction } from './guards.ts';

/**
 * Name of the function by which a bundle says where an error was thrown: the line of the component's own code, and the
 * column in it. The builder defines it on the global object, before the component's code.
 */
export const EXCERPT = 'tributary.excerpt';

/** The line that threw the error, and a caret below it. Undefined without a frame of the component's own files. */
export function excerptOf(thrown: unknown): string | undefined {
  try {
    const find: unknown = Reflect.get(globalThis, Symbol.for(EXCERPT));
    const found: unknown = isFunction(find) ? find(thrown) : undefined;
    if (!isDict(found)) return undefined;
    const { line, column } = found;
    return typeof line === 'string' && typeof column === 'number' ? codeFrame(line, column) : undefined;
  } catch {
    // A component may have replaced the function.
    return undefined;
  }
}
