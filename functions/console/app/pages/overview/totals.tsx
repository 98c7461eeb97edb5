import { useQuery } from '@tanstack/preact-query';
import { readTotals } from '../../api/totals.ts';
import { Loaded } from '../../components/loaded.tsx';
import { countText } from '../../locale.ts';

const POLL_MS = 30_000;

/** The number of things of each kind, as links to their lists. */
export function Totals({ interval }: { interval: number | false }) {
  const totals = useQuery({
    queryKey: ['totals'],
    queryFn: readTotals,
    refetchInterval: interval === false ? false : POLL_MS,
  });
  return (
    <section aria-label="Totals">
      <Loaded query={totals} rows={1}>
        {(found) => (
          <ul class="plain totals">
            {found.map(({ href, one, many, count }) => (
              <li key={href}>
                <a class="card" href={href}>
                  <strong>{countText(count)}</strong> {count === 1 ? one : many}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
