import type { SourceId } from '../../domain/id.ts';
import type { backlogStore } from '../../store/emitters/backlog.ts';

/** The triggers that wait in the backlog of a source. */
export interface WaitingTriggers {
  count: number;
  /** Since when the oldest waits, epoch ms. */
  oldestAt: number | undefined;
}

/** Reads what waits in the backlogs of sources; a source for which none waits is absent. */
export type WaitingReader = (ids: readonly SourceId[]) => Promise<Map<SourceId, WaitingTriggers>>;

/** A source without a backlog costs half a read unit, one with a backlog 1.5. */
export const createWaitingReader =
  (backlogs: Pick<ReturnType<typeof backlogStore>, 'waiting' | 'oldestWaitingSince'>): WaitingReader =>
  async (ids) => {
    const behind = [...(await backlogs.waiting(ids))].filter(([, { count }]) => count > 0);
    const read = async ([id, { count }]: (typeof behind)[number]): Promise<[SourceId, WaitingTriggers]> => [
      id,
      { count, oldestAt: await backlogs.oldestWaitingSince(id) },
    ];
    return new Map(await Promise.all(behind.map(read)));
  };
