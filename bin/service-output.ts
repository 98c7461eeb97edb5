import { write } from 'node:fs';

/** Writes lines to a standard stream. A line that cannot be written is lost, and later ones are tried again. */
export type Output = (text: string) => void;

/**
 * A full disk under a file, or a closed pipe, ends a stream of Node for good, and the process with it. The descriptor
 * stays usable: later lines go there directly.
 */
export function outputOf(stream: NodeJS.WriteStream & { fd: number }): Output {
  let hasFailed = false;
  stream.on('error', () => (hasFailed = true));
  return (text) => {
    if (hasFailed) write(stream.fd, text, () => undefined);
    else stream.write(text);
  };
}
