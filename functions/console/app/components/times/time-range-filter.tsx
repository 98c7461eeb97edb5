import { HOUR_MS } from '../../../../../shared/lib/durations.ts';
import { useLocation } from 'preact-iso/router';
import { useSetAddress } from '../../hooks/use-address-filter.ts';
import { SelectFilter } from '../select-filter.tsx';
import { type ChosenTime, isBetween, localText, PERIODS, timeOf } from './time-range.ts';

/** The choice of times in the address. */
export function useChosenTime(): ChosenTime {
  const { query } = useLocation();
  return { time: query['time'] ?? '', since: query['since'] ?? '', until: query['until'] ?? '' };
}

const BETWEEN = 'between';

/** The times of a list: a period that ends now, or two bounds. */
export function TimeRangeFilter({ chosen }: { chosen: ChosenTime }) {
  const setAddress = useSetAddress();
  const isOwn = isBetween(chosen);
  const choose = (value: string): void => {
    const isNext = value === BETWEEN;
    setAddress([
      ['time', isNext ? '' : value],
      ['since', isNext ? new Date(Date.now() - HOUR_MS).toISOString() : ''],
      ['until', ''],
    ]);
  };
  return (
    <>
      <SelectFilter
        label="Time"
        value={isOwn ? BETWEEN : chosen.time}
        onChange={choose}
        all="All times"
        values={[...PERIODS.map(({ value, text }) => [value, text] as const), [BETWEEN, 'Between…']]}
      />
      {isOwn && (
        <>
          <TimeBox label="Since" name="since" text={chosen.since} />
          <TimeBox label="Until" name="until" text={chosen.until} />
        </>
      )}
    </>
  );
}

function TimeBox({ label, name, text }: { label: string; name: 'since' | 'until'; text: string }) {
  const setAddress = useSetAddress();
  const ms = timeOf(text);
  return (
    <label class="field time-box">
      <span class="label">{label}</span>
      <input
        type="datetime-local"
        value={ms === undefined ? '' : localText(ms)}
        onChange={({ currentTarget: { value } }) =>
          setAddress([[name, value === '' ? '' : new Date(value).toISOString()]])
        }
      />
    </label>
  );
}
