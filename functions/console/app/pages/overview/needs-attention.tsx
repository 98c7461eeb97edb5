import { useState } from 'preact/hooks';
import { Allowed } from '../../api/rights.tsx';
import type { FailedRuns } from '../../../../../shared/domain/source/run-counts.ts';
import { type Problem, RECENT_ERRORS } from '../../attention/problem-of.ts';
import { type Attention, useAttention } from '../../attention/use-attention.ts';
import { useFailedRuns } from '../../attention/use-failed-runs.ts';
import { useWaiting, waitingText } from '../../attention/use-waiting.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Time } from '../../components/time.tsx';
import { countText } from '../../locale.ts';

/** Problems are counted from lists, so they are read less often than a stream. */
const POLL_MS = 30_000;
/** Problems that are shown at first, and those that each click adds: a line takes requests of its own. */
const SHOWN = 10;

/** Links to sources, webhooks and accounts with problems. */
export function NeedsAttention({ interval }: { interval: number | false }) {
  const pollMs = interval === false ? false : POLL_MS;
  const attention = useAttention(pollMs);
  return (
    <section class="card stack" aria-label="Needs attention">
      <h2>Needs attention</h2>
      <Loaded query={attention} rows={1}>
        {({ problems, unread }) =>
          problems.length === 0 ? (
            <p class="muted">Nothing. Every source, webhook and account works.</p>
          ) : (
            <Problems problems={problems} unread={unread} pollMs={pollMs} />
          )
        }
      </Loaded>
      <Allowed>
        <p class="hint">
          <a href="/console/notices">Set up notices</a> to be told when something fails.
        </p>
      </Allowed>
    </section>
  );
}

interface ProblemsProps extends Attention {
  pollMs: number | false;
}

function Problems({ problems, unread, pollMs }: ProblemsProps) {
  const [limit, setLimit] = useState(SHOWN);
  const shown = problems.slice(0, limit);
  const runsOf = useFailedRuns(
    shown.flatMap(({ sourceId }) => sourceId ?? []),
    pollMs,
  );
  return (
    <>
      <ul class="plain attention">
        {shown.map((problem) => (
          <ProblemLine
            key={problem.href}
            problem={problem}
            pollMs={pollMs}
            runs={runsOf?.get(problem.sourceId ?? '')}
          />
        ))}
      </ul>
      {problems.length > limit && (
        <button type="button" class="quiet more" onClick={() => setLimit(limit + 5 * SHOWN)}>
          and {countText(problems.length - limit)} more
        </button>
      )}
      {unread.webhooks > 0 && <a href="/console/webhooks">and {countText(unread.webhooks)} more webhooks</a>}
      {unread.sources > 0 && (
        <a href={`/console/sources?state=${RECENT_ERRORS}`}>and {countText(unread.sources)} more sources</a>
      )}
    </>
  );
}

interface ProblemLineProps {
  problem: Problem;
  pollMs: number | false;
  runs: FailedRuns | undefined;
}

/** `orders` `500 since 11:02, 7 waiting`; `shop` `4 of 304 runs failed, last 9:42`. */
function ProblemLine({ problem, pollMs, runs }: ProblemLineProps) {
  const { href, name, text, relation, ms, held, ...more } = problem;
  const { data: waiting } = useWaiting(more.webhookId, pollMs);
  return (
    <li>
      <a href={href}>{name}</a>
      <span>
        {runs ? `${countText(runs.failed)} of ${countText(runs.all)} runs failed` : text}
        {ms !== null && (
          <>
            {relation === 'last' ? ', last ' : ` ${relation} `}
            <Time ms={ms} />
          </>
        )}
        {held !== undefined && `, ${countText(held)} held`}
        {waiting !== undefined && waiting.count > 0 && `, ${waitingText(waiting)} waiting`}
        {more.reason !== undefined && `: ${more.reason}`}
      </span>
    </li>
  );
}
