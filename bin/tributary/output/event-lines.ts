import type { Summary, WholeEvent } from '../session/response-schemas.ts';
import type { Column } from './text-table.ts';
import type { NameOf } from '../session/names-of.ts';

export interface NamedSummary extends Summary {
  /** Slug of the source, when several are shown. */
  source?: string;
}

export const timeOfEvent = ({ id }: Pick<Summary, 'id'>): number => Number(id.split('-')[0]);

/** The summary of an event, if it has one, and its data. */
export const eventText = ({ event, metadata }: Pick<Summary, 'event' | 'metadata'>): string => {
  const data = JSON.stringify(event);
  return metadata.summary === undefined ? data : `${metadata.summary}  ${data}`;
};

export const eventColumns = (hasSources: boolean): readonly Column<NamedSummary>[] => [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'TIME', at: timeOfEvent },
  ...(hasSources
    ? [
        {
          heading: 'SOURCE',
          drop: 1,
          of: ({ source, metadata }: NamedSummary) => source ?? metadata.emitter_id,
        },
      ]
    : []),
  { heading: 'EVENT', of: eventText },
];

export const wholeEventColumns = (name: NameOf): readonly Column<WholeEvent>[] => [
  ...eventColumns(false),
  { heading: 'RUN', of: ({ trigger_id: id }) => id },
  {
    heading: 'DELIVERIES',
    of: ({ deliveries = [] }) =>
      deliveries.map(({ webhook_id: hook, delivery_id: id, status }) => `${name(hook)} ${id} ${status}`).join(', '),
  },
];
