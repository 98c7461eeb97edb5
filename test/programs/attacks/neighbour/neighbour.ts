import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { Observations, type ObserverSettings } from './observations.ts';

/** A user of the service that does little, in a process of its own, and what it observes. */
export interface Neighbour {
  /** Observations since the last call. */
  report(): Promise<Observations>;
  stop(): void;
}

const start = (program: string, ...argv: string[]): ChildProcess =>
  fork(join(import.meta.dirname, program), argv, { execArgv: ['--import', 'tsx'] });

/** The next message of a process; an error if the process ends instead. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const end = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('A measuring process ended.');
  });
  try {
    const [message]: unknown[] = await Promise.race([once(child, 'message'), end]);
    return message;
  } finally {
    end.catch(() => undefined);
    ended.abort();
  }
}

export async function startNeighbour(user: { base: string; key: string }): Promise<Neighbour> {
  const yardstick = start('yardstick.ts');
  const yardstickPort = z.int().parse(await messageOf(yardstick));
  const settings: ObserverSettings = { ...user, yardstickPort };
  const observer = start('observer.ts', JSON.stringify(settings));
  await messageOf(observer);
  return {
    async report() {
      const outcome = messageOf(observer);
      observer.send('report');
      return Observations.parse(await outcome);
    },
    stop() {
      observer.kill();
      yardstick.kill();
    },
  };
}
