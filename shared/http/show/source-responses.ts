import { type EventId, positionOf } from '../../domain/event/event-id.ts';
import { ERRORS_STREAM, type StreamName } from '../../domain/event/stream.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import { everyFilter, tagFilter, textFilter } from '../../lib/text-filter.ts';
import type { ChangedSource } from '../../service/sources/create-source.ts';
import type { WaitingReader } from '../../service/sources/waiting-reader.ts';
import { encodeCursor } from '../../store/table/cursor.ts';
import type { LastEvents } from '../../store/events/newest-events.ts';
import { fitting, one, oneWith, page } from '../api-response.ts';
import { searchedTexts, type ShowContext, showSource, showSourceItem, shownState } from './show.ts';
import type { RunRecord } from '../../domain/run/run-record.ts';
import type { RequestedRun } from '../../store/emitters/run-records.ts';

interface SourceResponseContext extends ShowContext {
  waitingTriggers: WaitingReader;
  newestEvent(id: SourceId, stream: StreamName): Promise<EventId | undefined>;
  lastEvents(ids: readonly SourceId[]): Promise<Map<SourceId, LastEvents>>;
}

interface SourcePage {
  ownerId: UserId;
  items: readonly Source[];
  totalCount: number;
  isBackward: boolean;
}

interface SourceSearch {
  /** A part of the id, the name, the slug or the endpoint. */
  q?: string | undefined;
  state?: ReturnType<typeof shownState> | undefined;
  tag?: string | undefined;
  /** Epoch ms. */
  failed_since?: number | undefined;
}

const sizeOf = ({ configuration }: Source) => JSON.stringify(configuration).length;

export function createSourceResponses(context: SourceResponseContext) {
  const shown = async (source: Source) => {
    const waiting = await context.waitingTriggers([source.id]);
    return showSource(source, context, waiting.get(source.id));
  };
  async function hasErrorSince({ id }: Source, since: number): Promise<boolean> {
    const newest = await context.newestEvent(id, ERRORS_STREAM);
    return newest !== undefined && positionOf(newest).ms >= since;
  }
  return {
    filterOf: ({ q, state: wanted, tag, failed_since: since }: SourceSearch) =>
      everyFilter(
        textFilter(q, (source: Source) => searchedTexts(source, context.ingressUrl)),
        wanted && (({ state }: Source) => shownState(state) === wanted),
        tagFilter(tag, ({ configuration }: Source) => configuration.tags),
        // Last: it reads the stream of each source that passes the others.
        since === undefined ? undefined : (source: Source) => source.state === 'failed' || hasErrorSince(source, since),
      ),

    ofSource: async (source: Source) => one(await shown(source)),

    ofChange: async ({ source, warnings }: ChangedSource) => oneWith(await shown(source), warnings),

    /** As many sources as fit a response. */
    async ofPage({ ownerId, items, totalCount, isBackward }: SourcePage) {
      const kept = fitting(items, sizeOf, isBackward);
      const ids = kept.map(({ id }) => id);
      const [last, waiting] = await Promise.all([context.lastEvents(ids), context.waitingTriggers(ids)]);
      return page(kept, {
        totalCount,
        cursorOf: ({ id }) => encodeCursor({ list: 'sources', ownerId }, id),
        show: (source) =>
          showSourceItem(source, context, { last: last.get(source.id), waiting: waiting.get(source.id) }),
      });
    },
  };
}

/** The record of one trigger. A requested run has no end yet. */
export function showRun(run: RunRecord | RequestedRun) {
  const { id, receivedAt, startedAt = null } = run;
  const ended = 'endedAt' in run ? run : undefined;
  return {
    id,
    state: ended?.state ?? (startedAt === null ? 'waiting' : 'running'),
    received_at_ms: receivedAt,
    started_at_ms: startedAt,
    ended_at_ms: ended?.endedAt ?? null,
    emitted: ended?.emitted ?? 0,
    error: ended?.error ? { code: ended.error.code, message: ended.error.message } : null,
  };
}
