import { PAUSED } from '../../shared/domain/service-health.ts';
import type { Disk } from './disk/disk.ts';
import type { Room } from './disk/room.ts';
import type { EventSourceMapping } from './event-source-mapping/event-source-mapping.ts';

/** One sentence for the operator, or undefined when the service works. */
export type HealthCheck = () => Promise<string | undefined>;

interface HealthOptions {
  readonly disk: Disk;
  readonly room: Pick<Room, 'problem'>;
  readonly mappings: readonly EventSourceMapping[];
  readonly isPaused: boolean;
}

/** The value under this key is of no use; writing it shows that the store can be written. */
const KEY = 'h/written';
const MAX_WRITE_MS = 2_000;

export function healthCheck({ disk, room, mappings, isPaused }: HealthOptions): HealthCheck {
  let write: Promise<string | undefined> | undefined;
  return async () => {
    write ??= writeProblem(disk).finally(() => (write = undefined));
    const problem = await write;
    if (problem !== undefined) return problem;
    if (room.problem !== undefined) return room.problem;
    if (isPaused) return PAUSED;
    const stopped = mappings.filter(({ isConsuming }) => !isConsuming);
    if (stopped.length === 0) return undefined;
    return `These queues are not consumed: ${stopped.map(({ queueName }) => queueName).join(', ')}.`;
  };
}

async function writeProblem(disk: Disk): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    // A real timer: the clock of the cloud may stand still.
    timer = setTimeout(resolve, MAX_WRITE_MS, `The data directory took no write within ${MAX_WRITE_MS} ms.`);
  });
  disk.put(KEY, '');
  const written = disk.commit().then(
    () => undefined,
    (error: unknown) => `The data directory cannot be written${codeOf(error)}.`,
  );
  try {
    return await Promise.race([written, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The system's code: the message could name a path. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
}
