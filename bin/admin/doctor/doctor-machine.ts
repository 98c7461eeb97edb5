import { resolve } from 'node:path';
import { chooseIsolation } from '../../../infra/embedded/isolation/level.ts';
import { DiskSpace } from '../../../infra/embedded/disk/disk-space.ts';
import { meaningOf } from '../../../infra/embedded/isolation/levels.ts';
import type { UnreadableItem } from '../../../shared/domain/unreadable.ts';
import { VERSION } from '../../../shared/domain/version.ts';
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
  /** Version of the service that runs; undefined when none runs. */
  readonly runningVersion: string | undefined;
  readonly deadLetters: DeadLetterCounts;
  readonly oauth: OAuthFindings;
  readonly unreadable: readonly UnreadableItem[];
}

export interface MachineSubject extends Pick<Settings, 'isolation' | 'dataDir'> {
  /** Undefined when no service has used the data directory. */
  readonly service: () => Promise<ServiceFindings | undefined>;
  /** Default: that of the data directory. */
  readonly space?: Pick<DiskSpace, 'freeBytes' | 'isLow'>;
}

/** A half-finished upgrade: the service, or this command, is of the release before. */
const isOtherRelease = (version: string | undefined): boolean => version !== undefined && version !== VERSION;

function textOfService(found: ServiceFindings | undefined): string {
  if (!found) return 'has not used this data directory yet: `tributary start` starts it';
  const { runningVersion: version } = found;
  if (version === undefined) return 'does not run: `tributary start` starts it';
  const mend = `, but this command is of ${VERSION}: restart the service with this release, or use the command of ${version}`;
  return `runs, version ${version}${isOtherRelease(version) ? mend : ''}`;
}

const LOW = ', too little: new events and uploads are refused. Free space on the disk of the data directory';
const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`;

function textOf({ queues, unreadable }: DeadLetterCounts): string {
  const counts = Object.entries(queues).map(([queue, count]) => `${count} of ${queue}`);
  if (counts.length === 0) return 'none';
  const note = unreadable === 0 ? '' : `; ${unreadable} of them cannot be read by this release`;
  return `${counts.join(', ')}${note} (dead-letters list shows them)`;
}

/**
 * Checks this machine as `npm start` would find it: versions, whether the service runs, the isolation level of
 * components, the data directory, the free disk, and what OAuth clients need. Throws `IsolationUnavailable` when
 * ISOLATION demands a level that this machine does not have.
 */
export async function diagnoseMachine({
  isolation: demanded,
  dataDir,
  service,
  space = new DiskSpace(dataDir),
}: MachineSubject): Promise<Report> {
  const { level } = await chooseIsolation(demanded);
  const found = await service();
  const { freeBytes, isLow } = space;
  const isKnown = Number.isFinite(freeBytes);
  const machine = {
    version: VERSION,
    service: { runs: found?.runningVersion !== undefined, version: found?.runningVersion ?? null },
    node: process.version,
    isolation: level,
    data_dir: resolve(dataDir),
    free_bytes: isKnown ? freeBytes : null,
    ...(found ? { dead_letters: found.deadLetters, oauth: found.oauth } : {}),
  };
  const stronger =
    level === 'sandbox' ? '' : '\n  A stronger level needs bubblewrap (the package bubblewrap of Linux distributions).';
  return {
    json: machine,
    text: [
      `Version: ${VERSION}`,
      `Service: ${textOfService(found)}`,
      `Node.js: ${machine.node}`,
      `Isolation: ${level}: ${meaningOf[level]}${stronger}`,
      `Data directory: ${machine.data_dir}`,
      ...(isKnown ? [`Free disk: ${gigabytes(freeBytes)}${isLow ? LOW : ''}`] : []),
      ...(found ? [`Dead letters: ${textOf(found.deadLetters)}`, ...linesOf(found.oauth)] : []),
    ].join('\n'),
    isFailed: isLow || (found !== undefined && (hasProblem(found.oauth) || isOtherRelease(found.runningVersion))),
    ...(found ? { unreadable: found.unreadable } : {}),
  };
}
