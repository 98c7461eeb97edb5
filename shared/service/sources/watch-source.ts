import { setTimeout as pause } from 'node:timers/promises';
import type { SourceId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import type { OwnedSourceContext } from './owned-source.ts';

export interface WatchContext extends OwnedSourceContext {
  now(): number;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;

/**
 * Polls the source with a growing interval until `isDone` or the deadline. Returns its last state, undefined when it
 * was deleted.
 */
export async function watchSource(
  { sources, now }: WatchContext,
  id: SourceId,
  { isDone, until }: { isDone: (source: Source) => boolean; until: number },
): Promise<Source | undefined> {
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 1.5, LONGEST_PAUSE_MS)) {
    const source = await sources.find(id);
    if (!source || source.state === 'deleting') return undefined;
    if (isDone(source) || now() + wait > until) return source;
    await pause(wait);
  }
}

/** Whether a revision has ended, with success or failure. */
export const hasEnded =
  (revision: number) =>
  ({ outcome }: Source): boolean =>
    outcome !== undefined && outcome.revision >= revision;
