import { listSources, putSource } from '../../api/source-api.ts';
import { hasRecentErrors, RECENT_ERRORS } from '../../attention/problem-of.ts';
import type { SourceItem, SourceSettings } from '../../api/wire.ts';
import { CopyButton } from '../../components/buttons/copy-button.tsx';
import type { Column } from '../../components/table.tsx';
import { TimeOrDash } from '../../components/time.tsx';
import { type WholeList, WholeListPage } from '../../lists/whole-list-page.tsx';
import { SOURCE_STATES, StateBadge } from './source-state.tsx';
import { TriggerLine } from './trigger-line.tsx';

/** The pages of a source show its props, and its address. The column of tags is only there with tags. */
const SETTINGS = {
  name: {
    name: 'Name',
    sort: { keyOf: ({ name }) => name },
    cell: ({ id, name, name_slug: slug }) => (
      <>
        <a class="entry" href={`/console/sources/${id}`} title={name}>
          {name}
        </a>
        {slug !== name && <span class="sub entry">{slug}</span>}
      </>
    ),
  },
  active: {
    name: 'State',
    sort: { keyOf: ({ state }) => -SOURCE_STATES.indexOf(state) },
    cell: ({ state }) => <StateBadge state={state} />,
  },
} satisfies Record<Exclude<keyof SourceSettings, 'configured_props' | 'endpoint' | 'tags'>, Column<SourceItem>>;

const LIST: WholeList<SourceItem> = {
  title: 'Sources',
  one: 'source',
  many: 'sources',
  about: 'A source runs a component: it polls an API or receives requests, and emits events.',
  searched: 'Name, id or endpoint',
  filter: { name: 'state', label: 'State', all: 'All states', values: [...SOURCE_STATES, RECENT_ERRORS] },
  read: (filters, after) => listSources(filters, after),
  isShown: (source, state) => (state === RECENT_ERRORS ? hasRecentErrors(source, Date.now()) : source.state === state),
  nameOf: ({ name }) => name,
  put: putSource,
  measure: 'events',
  columns: [
    [...Object.values(SETTINGS), { name: 'Trigger', kind: 'wider', cell: (source) => <TriggerLine source={source} /> }],
    [
      {
        name: 'Last event',
        kind: 'wide',
        sort: { keyOf: ({ last_event_ms: ms }) => ms ?? 0, isDescendingFirst: true },
        cell: ({ last_event_ms: ms }) => <TimeOrDash ms={ms} />,
      },
      {
        name: 'Last error',
        kind: 'widest',
        sort: { keyOf: ({ last_error_ms: ms }) => ms ?? 0, isDescendingFirst: true },
        cell: ({ last_error_ms: ms }) => <TimeOrDash ms={ms} />,
      },
      { name: 'Id', kind: 'wide', cell: ({ id }) => <CopyButton text={id} label={`Copy id ${id}`} /> },
    ],
  ],
};

export const SourcesPage = () => <WholeListPage list={LIST} />;
