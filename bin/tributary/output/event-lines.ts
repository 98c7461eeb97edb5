import type { Summary, WholeEvent } from '../session/response-schemas.ts';
import { plainLine } from '../../plain-text.ts';
import type { Column } from './text-table.ts';
import { localDateTime } from './times.ts';

export interface NamedSummary extends Summary {
  /** Slug of the source, when several are shown. */
  source?: string;
}

const timeOf = ({ id }: Summary): string => localDateTime(Number(id.split('-')[0]));

const dataOf = ({ event, metadata }: Summary): string => {
  const data = JSON.stringify(event);
  return metadata.summary === undefined ? data : `${metadata.summary}  ${data}`;
};

export const eventColumns = (hasSources: boolean): readonly Column<NamedSummary>[] => [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'TIME', of: timeOf },
  ...(hasSources
    ? [{ heading: 'SOURCE', of: ({ source, metadata }: NamedSummary) => source ?? metadata.emitter_id }]
    : []),
  { heading: 'EVENT', of: dataOf },
];

export const wholeEventColumns: readonly Column<WholeEvent>[] = [
  ...eventColumns(false),
  { heading: 'RUN', of: ({ trigger_id: id }) => id },
  {
    heading: 'DELIVERIES',
    of: ({ deliveries = [] }) =>
      deliveries.map(({ webhook_id: hook, delivery_id: id, status }) => `${hook} ${id} ${status}`).join(', '),
  },
];

/** A line of a follow has the columns of the table. */
export const eventLine = (event: NamedSummary, hasSources: boolean): string =>
  eventColumns(hasSources)
    .map(({ of }) => plainLine(String(of(event) ?? '')))
    .join('\t');
