import { resolve } from 'node:path';
import { chooseIsolation } from '../../../infra/embedded/isolation/level.ts';
import { meaningOf } from '../../../infra/embedded/isolation/levels.ts';
import type { UnreadableItem } from '../../../shared/domain/unreadable.ts';
import type { Settings } from '../../settings.ts';
import type { Report } from '../operator-command.ts';
import { hasProblem, linesOf, type OAuthFindings } from './doctor-oauth.ts';

/** Numbers of dead letters by queue, of those that have any, and how many of all cannot be read. */
export interface DeadLetterCounts {
  readonly queues: Readonly<Record<string, number>>;
  readonly unreadable: number;
}

/** The findings of the service that uses a data directory. */
export interface ServiceFindings {
  readonly deadLetters: DeadLetterCounts;
  readonly oauth: OAuthFindings;
  readonly unreadable: readonly UnreadableItem[];
}

export interface MachineSubject extends Pick<Settings, 'isolation' | 'dataDir'> {
  /** Undefined when no service has used the data directory. */
  readonly service: () => Promise<ServiceFindings | undefined>;
}

function textOf({ queues, unreadable }: DeadLetterCounts): string {
  const counts = Object.entries(queues).map(([queue, count]) => `${count} of ${queue}`);
  if (counts.length === 0) return 'none';
  const note = unreadable === 0 ? '' : `; ${unreadable} of them cannot be read by this release`;
  return `${counts.join(', ')}${note} (dead-letters list shows them)`;
}

/**
 * Checks this machine as `npm start` would find it: the version of Node, the isolation level of components, the data directory, and what
 * OAuth clients need.
 * Throws `IsolationUnavailable` when ISOLATION demands a level that this machine does not have.
 */
export async function diagnoseMachine({
  isolation: demanded,
  dataDir,
  service,
}: MachineSubject): Promise<Report> {
  const { level } = await chooseIsolation(demanded);
  const found = await service();
  const machine = {
    node: process.version,
    isolation: level,
    data_dir: resolve(dataDir),
    ...(found ? { dead_letters: found.deadLetters, oauth: found.oauth } : {}),
  };
  const stronger =
    level === 'sandbox'
      ? ''
      : '\n  A stronger level needs bubblewrap (the package bubblewrap of Linux distributions).';
  return {
    json: machine,
    text: [
      `Node.js: ${machine.node}`,
      `Isolation: ${level}: ${meaningOf[level]}${stronger}`,
      `Data directory: ${machine.data_dir}`,
      ...(found ? [`Dead letters: ${textOf(found.deadLetters)}`, ...linesOf(found.oauth)] : []),
    ].join('\n'),
    isFailed: found !== undefined && hasProblem(found.oauth),
    ...(found ? { unreadable: found.unreadable } : {}),
  };
}
