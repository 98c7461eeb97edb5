import type { Webhook } from '../session/response-schemas.ts';
import type { Column } from './text-table.ts';
import { localOrNever, localSeconds } from './times.ts';

const stateOf = ({ active, disabled_reason: reason }: Webhook): string =>
  active ? 'active' : `off${reason == null ? '' : ` (${reason})`}`;

const lastOf = ({ last_attempt: last }: Webhook): string => {
  if (last == null) return '';
  return [localOrNever(last.at_ms), last.outcome, last.status ?? ''].join(' ').trim();
};

export const webhookColumns: readonly Column<Webhook>[] = [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'NAME', of: ({ name }) => name },
  { heading: 'URL', of: ({ url }) => url },
  { heading: 'STATE', of: stateOf },
  { heading: 'LAST ATTEMPT', of: lastOf },
];

export const webhookDetails: readonly Column<Webhook>[] = [
  ...webhookColumns,
  { heading: 'DESCRIPTION', of: ({ description }) => description },
  { heading: 'HEADERS', of: ({ headers }) => Object.keys(headers ?? {}).join(', ') },
  { heading: 'RATE LIMIT', of: ({ rate_limit: limit }) => limit },
  { heading: 'HELD', of: ({ held_count: count }) => count },
  { heading: 'CREATED', of: ({ created_at: at }) => localSeconds(at) },
];
