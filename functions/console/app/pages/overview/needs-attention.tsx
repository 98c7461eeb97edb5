import { useQuery } from '@tanstack/preact-query';
import { getNotices } from '../../api/user-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Time } from '../../components/time.tsx';
import { countText } from '../../locale.ts';
import { FirstSteps } from './first-steps.tsx';
import type { Problem } from './problem-of.ts';
import { MAX_SHOWN, readAttention } from './problems.ts';

/** Problems are counted from lists, so they are read less often than a stream. */
const POLL_MS = 30_000;

/** Links to sources, webhooks and accounts with problems; an empty account shows its first steps. */
export function NeedsAttention({ interval }: { interval: number | false }) {
  const attention = useQuery({
    queryKey: ['problems'],
    queryFn: readAttention,
    refetchInterval: interval === false ? false : POLL_MS,
  });
  if (attention.data?.isNew === true) return <FirstSteps />;
  return (
    <section class="card stack" aria-label="Needs attention">
      <h2>Needs attention</h2>
      <Loaded query={attention} rows={1}>
        {({ problems }) =>
          problems.length === 0 ? (
            <p class="muted">Nothing. Every source, webhook and account works.</p>
          ) : (
            <Problems problems={problems} />
          )
        }
      </Loaded>
      <TellMe />
    </section>
  );
}

const Problems = ({ problems }: { problems: readonly Problem[] }) => (
  <ul class="plain attention">
    {problems.slice(0, MAX_SHOWN).map((problem) => (
      <ProblemLine key={problem.href} problem={problem} />
    ))}
    {problems.length > MAX_SHOWN && <li class="muted">and {problems.length - MAX_SHOWN} more</li>}
  </ul>
);

/** `orders` `500 since 11:02, 7 waiting`. */
const ProblemLine = ({ problem: { href, name, text, relation, ms, ...more } }: { problem: Problem }) => (
  <li>
    <a href={href}>{name}</a>
    <span>
      {text}
      {ms !== null && (
        <>
          {` ${relation} `}
          <Time ms={ms} />
        </>
      )}
      {more.deliveries &&
        `, ${countText(more.deliveries.count)}${more.deliveries.isLeast ? '+' : ''} ${more.deliveries.state}`}
      {more.reason !== undefined && `: ${more.reason}`}
    </span>
  </li>
);

/** Leads to a subscription of a webhook to the notices. */
function TellMe() {
  const notices = useQuery({ queryKey: ['notices'], queryFn: getNotices, staleTime: Infinity });
  const id = notices.data?.data.id;
  if (id === undefined) return null;
  return (
    <p class="hint">
      <a href={`/console/subscriptions?emitter=${id}&stream=webhook.failing`}>Subscribe a webhook to notices</a> to be
      told when something fails.
    </p>
  );
}
