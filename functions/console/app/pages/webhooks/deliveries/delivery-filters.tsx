import { useLocation } from 'preact-iso/router';
import { Combobox } from '../../../choosing/combobox.tsx';
import { SearchBox } from '../../../components/search-box.tsx';
import { SelectFilter } from '../../../components/select-filter.tsx';
import type { ChosenTime } from '../../../components/times/time-range.ts';
import { TimeRangeFilter, useChosenTime } from '../../../components/times/time-range-filter.tsx';
import { TypedFilter } from '../../../lists/typed-filter.tsx';
import { FilterBar } from '../../../events/filter-bar.tsx';
import { OUTCOMES } from '../../../events/attempt-text.tsx';
import { STATUSES } from '../../../events/delivery-status.tsx';
import { useSetAddress } from '../../../hooks/use-address-filter.ts';
import { useDirectory } from '../../../hooks/use-directory.ts';

/** The filters of the address, by the names that the API gives them; `q` is the search in what is listed. */
export interface ShownFilter {
  q: string;
  status: string;
  outcome: string;
  emitterId: string;
  stream: string;
  eventId: string;
  chosenTime: ChosenTime;
}

export function useShownFilter(): ShownFilter {
  const { query } = useLocation();
  const of = (name: string): string => query[name] ?? '';
  return {
    q: of('q'),
    status: of('status'),
    outcome: of('outcome'),
    emitterId: of('emitter_id'),
    stream: of('event_name'),
    eventId: of('event_id'),
    chosenTime: useChosenTime(),
  };
}

/** The filters that are set. Two bounds are one filter, that of the times. */
function countOf({ chosenTime, ...texts }: ShownFilter): number {
  const times = Object.values(chosenTime).some((value) => value !== '') ? 1 : 0;
  return Object.values(texts).filter((value) => value !== '').length + times;
}

/** All filters of the API, and the search. */
export function DeliveryFilters({ shown }: { shown: ShownFilter }) {
  const setAddress = useSetAddress();
  const to = (name: string) => (value: string) => setAddress([[name, value]], name === 'q');
  const { sources = [], workflows = [], notices } = useDirectory().data ?? {};
  return (
    <FilterBar count={countOf(shown)} hasMany>
      <SearchBox value={shown.q} onChange={to('q')} placeholder="Text in the list" />
      <SelectFilter label="Status" value={shown.status} onChange={to('status')} all="All statuses" values={STATUSES} />
      <SelectFilter
        label="Outcome"
        value={shown.outcome}
        onChange={to('outcome')}
        all="All outcomes"
        values={OUTCOMES}
      />
      <Combobox
        label="Emitter"
        isShort
        placeholder="All emitters"
        value={shown.emitterId}
        onChange={to('emitter_id')}
        groups={[
          ['Sources', sources],
          ['Workflows', workflows],
          ['Failures and recoveries', notices ? [notices] : []],
        ]}
      />
      <TypedFilter label="Stream" value={shown.stream} onChange={to('event_name')} placeholder="All streams" />
      <TypedFilter label="Event id" isId value={shown.eventId} onChange={to('event_id')} placeholder="All events" />
      <TimeRangeFilter chosen={shown.chosenTime} />
    </FilterBar>
  );
}
