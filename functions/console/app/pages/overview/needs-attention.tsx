import { useQuery } from '@tanstack/preact-query';
import { Loaded } from '../../components/loaded.tsx';
import { Time } from '../../components/time.tsx';
import { readProblems } from './problems.ts';

/** Problems are counted from lists, so they are read less often than a stream. */
const POLL_MS = 30_000;
const MAX_SHOWN = 10;

/** Links to sources, webhooks and accounts with problems. */
export function NeedsAttention({ interval }: { interval: number | false }) {
  const problems = useQuery({
    queryKey: ['problems'],
    queryFn: readProblems,
    refetchInterval: interval === false ? false : POLL_MS,
  });
  return (
    <section class="card stack" aria-label="Needs attention">
      <h2>Needs attention</h2>
      <Loaded query={problems} rows={1}>
        {(found) =>
          found.length === 0 ? (
            <p class="muted">Nothing. Every source, webhook and account works.</p>
          ) : (
            <ul class="plain attention">
              {found.slice(0, MAX_SHOWN).map(({ href, name, text, ms }) => (
                <li key={href}>
                  <a href={href}>{name}</a>
                  <span>{text}</span>
                  <Time ms={ms} />
                </li>
              ))}
              {found.length > MAX_SHOWN && <li class="muted">and {found.length - MAX_SHOWN} more</li>}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
