import { timerText } from '../../../shared/domain/component/timer-text.ts';
import type { SourceSettings } from '../../../shared/domain/source/source.ts';
import type { WireFields } from '../../../shared/http/settings/wire-fields.ts';
import { endpointOf, type Prop, type Source } from '../session/response-schemas.ts';
import { type Column, TAGS } from './text-table.ts';

const stateOf = ({ state, active }: Source): string => state ?? (active ? 'active' : 'disabled');

/** `every 15 min, HTTP`; a source without a timer and an endpoint listens to others. */
function triggerOf(source: Source): string {
  const triggers = [...(source.timer ? [timerText(source.timer)] : []), ...(endpointOf(source) ? ['HTTP'] : [])];
  return triggers.length === 0 ? 'listener' : triggers.join(', ');
}

const NEXT_RUN: Column<Source> = { heading: 'NEXT RUN', drop: 2, at: ({ timer }) => timer?.next_run_ms };

export const sourceColumns: readonly Column<Source>[] = [
  { heading: 'ID', of: ({ id }) => id },
  { heading: 'SLUG', of: ({ name_slug: slug }) => slug },
  { heading: 'NAME', drop: 3, of: ({ name }) => name },
  { heading: 'STATE', of: stateOf },
  { heading: 'WAITING', drop: 5, of: ({ waiting }) => waiting },
  NEXT_RUN,
  { heading: 'LAST EVENT', at: ({ last_event_ms: ms }) => ms },
  { heading: 'LAST ERROR', drop: 4, at: ({ last_error_ms: ms }) => ms },
  TAGS,
  { heading: 'ENDPOINT', isWhole: true, drop: 1, of: endpointOf },
  { heading: 'TRIGGER', isWide: true, of: triggerOf },
  { heading: 'COMPONENT', isWide: true, of: ({ component_id: id }) => id },
  { heading: 'CREATED', isWide: true, at: ({ created_at: at }) => at * 1_000 },
];

/** `props` are the component's: they say which values are secret. */
export function sourceDetails(props: readonly Prop[]): readonly Column<Source>[] {
  const { name, active, ...others } = {
    name: { heading: 'NAME', of: ({ name }) => name },
    active: { heading: 'STATE', of: stateOf },
    endpoint: { heading: 'ENDPOINT', of: endpointOf },
    tags: TAGS,
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
    { heading: 'TRIGGER', of: triggerOf },
    NEXT_RUN,
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
