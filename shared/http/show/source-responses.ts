import type { SourceId, UserId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import { everyFilter, textFilter } from '../../lib/text-filter.ts';
import type { ChangedSource } from '../../service/sources/create-source.ts';
import type { WaitingReader } from '../../service/sources/waiting-reader.ts';
import { encodeCursor } from '../../store/table/cursor.ts';
import type { LastEvents } from '../../store/events/last-events.ts';
import { fitting, one, oneWith, page } from '../api-response.ts';
import { searchedTexts, type ServiceUrls, showSource, showSourceItem, shownState } from './show.ts';

interface SourceResponseContext extends ServiceUrls {
  waitingTriggers: WaitingReader;
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
}

const sizeOf = ({ configuration }: Source) => JSON.stringify(configuration).length;

/** Responses with a source, or a page of sources. */
export function createSourceResponses(context: SourceResponseContext) {
  const shown = async (source: Source) => {
    const waiting = await context.waitingTriggers([source.id]);
    return showSource(source, context, waiting.get(source.id));
  };
  return {
    /** The filter of a list. */
    filterOf: ({ q, state: wanted }: SourceSearch) =>
      everyFilter(
        textFilter(q, (source: Source) => searchedTexts(source, context.ingressUrl)),
        wanted && (({ state }: Source) => shownState(state) === wanted),
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
