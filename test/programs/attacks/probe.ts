import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Spawner } from '../../../infra/embedded/isolation/spawner.ts';
import { LineReader } from '../../../shared/lib/line-reader.ts';
import type { UntrustedProcess } from '../../../shared/runtime/processes.ts';
import { LINES } from '../../../shared/runtime/descriptors.ts';

/** A plain Node program at one isolation level: no permission model, no guards. */
export interface Probe {
  readonly process: UntrustedProcess;
  /** Its own directory, which it may change. */
  readonly tmp: string;
  /** The next line that it prints, as JSON. */
  next(): Promise<unknown>;
}

/** A module that prints JSON by `say(value)`. */
const BEFORE = `const fs = require('fs'), net = require('net'), os = require('os'), child = require('child_process');
const say = (value) => fs.writeSync(${LINES}, JSON.stringify(value) + '\\n');
setInterval(() => {}, 1000);
`;

let count = 0;

export async function startProbe(
  spawner: Spawner,
  folder: string,
  code: string,
  writable: readonly string[] = [],
): Promise<Probe> {
  const name = `probe-${(count += 1)}`;
  const script = join(folder, `${name}.cjs`);
  writeFileSync(script, BEFORE + code);
  chmodSync(script, 0o644);
  const temporary = join(folder, name);
  const tmp = join(temporary, 'tmp');
  mkdirSync(tmp, { recursive: true });
  chmodSync(folder, 0o755);
  const started = await spawner.start({
    owner: temporary,
    args: [script],
    cwd: tmp,
    env: { HOME: tmp },
    readable: [script],
    writable: [tmp, ...writable],
    memoryMb: 1_000,
    network: { allowPrivate: false, allowList: [], exceptions: [] },
    temporary,
  });
  const lines: unknown[] = [];
  const waiting: ((line: unknown) => void)[] = [];
  const reader = new LineReader();
  let errors = '';
  started.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  started.lines.on('data', (chunk: Buffer) => {
    for (const line of reader.push(chunk)) {
      const parsed: unknown = JSON.parse(line);
      const take = waiting.shift();
      if (take) take(parsed);
      else lines.push(parsed);
    }
  });
  const lost = started.ended.then(() => {
    throw new Error(`The probe has ended: ${errors}`);
  });
  lost.catch(() => undefined);
  return {
    process: started,
    tmp,
    next: () =>
      lines.length > 0
        ? Promise.resolve(lines.shift())
        : Promise.race([new Promise((resolve) => waiting.push(resolve)), lost]),
  };
}

/** Processes of this machine whose command line has the text. */
export const processesWith = (text: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    });
