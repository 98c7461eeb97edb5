import { SearchBox } from '../components/search-box.tsx';
import { TimeRangeFilter, useChosenTime } from '../components/times/time-range-filter.tsx';
import { useAddressFilter } from '../hooks/use-address-filter.ts';

/** The search and the times of a list of events. */
export function EventFilters() {
  const [search, setSearch] = useAddressFilter('q', { typed: true });
  return (
    <>
      <SearchBox value={search} onChange={setSearch} placeholder="Text of the listed events" />
      <TimeRangeFilter chosen={useChosenTime()} />
    </>
  );
}
