import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The first line on standard output that matches. Its later output is read and dropped. */
export function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      reject(new Error(`The program ended (${code ?? signal}) before it was ready.`));
    });
    if (!child.stdout) throw new Error('The program has no standard output.');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = pattern.exec(line);
      if (found) resolve(found);
    });
  });
}
