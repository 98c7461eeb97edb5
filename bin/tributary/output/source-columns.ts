import type { SourceSettings } from '../../../shared/domain/source/source.ts';
import type { WireFields } from '../../../shared/http/settings/wire-fields.ts';
import { endpointOf, type Prop, type Source } from '../session/response-schemas.ts';
import type { Column } from './text-table.ts';

const stateOf = ({ state, active }: Source): string => state ?? (active ? 'active' : 'disabled');

export const sourceColumns: readonly Column<Source>[] = [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'SLUG', of: ({ name_slug: slug }) => slug },
  { heading: 'NAME', drop: 2, of: ({ name }) => name },
  { heading: 'STATE', of: stateOf },
  { heading: 'WAITING', drop: 4, of: ({ waiting }) => waiting },
  { heading: 'LAST EVENT', at: ({ last_event_ms: ms }) => ms },
  { heading: 'LAST ERROR', drop: 3, at: ({ last_error_ms: ms }) => ms },
  { heading: 'ENDPOINT', isWhole: true, drop: 1, of: endpointOf },
  { heading: 'COMPONENT', isWide: true, of: ({ component_id: id }) => id },
  { heading: 'CREATED', isWide: true, at: ({ created_at: at }) => at * 1_000 },
];

/** `props` are the component's: they say which values are secret. */
export function sourceDetails(props: readonly Prop[]): readonly Column<Source>[] {
  const { name, active, ...others } = {
    name: { heading: 'NAME', of: ({ name }) => name },
    active: { heading: 'STATE', of: stateOf },
    endpoint: { heading: 'ENDPOINT', of: endpointOf },
    configured_props: {
      heading: 'PROPS',
      of: ({ configured_props: values }) => JSON.stringify(shownValues(values, props)),
    },
  } satisfies WireFields<SourceSettings, Column<Source>>;
  return [
    { heading: 'ID', of: ({ id }) => id },
    name,
    { heading: 'SLUG', of: ({ name_slug: slug }) => slug },
    active,
    { heading: 'WAITING', of: ({ waiting }) => waiting },
    { heading: 'OLDEST WAITING', at: ({ oldest_waiting_ms: ms }) => ms },
    { heading: 'COMPONENT', of: ({ component_id: id }) => id },
    ...Object.values(others),
    { heading: 'CREATED', at: ({ created_at: at }) => at * 1_000 },
  ];
}

const HIDDEN = '(hidden)';

/** The values without secret ones. A prop that `additionalProps` added is not declared, so its value may be secret. */
export function shownValues(values: Source['configured_props'], props: readonly Prop[]): Source['configured_props'] {
  const shown = new Set(props.filter(({ secret }) => secret !== true).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown.has(name) ? value : HIDDEN]));
}
