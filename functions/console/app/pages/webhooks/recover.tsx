import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/refused-request.ts';
import { getRecovery, postRecovery } from '../../api/webhook-api.ts';
import type { Recovery, Webhook } from '../../api/wire.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Time } from '../../components/time.tsx';

const HOUR_MS = 3_600_000;
/** The service takes at most 14 days; the minute is for clocks that differ. */
const PERIODS = [
  ['1', 'the last hour', HOUR_MS],
  ['24', 'the last day', 24 * HOUR_MS],
  ['168', 'the last 7 days', 168 * HOUR_MS],
  ['336', 'the last 14 days', 336 * HOUR_MS - 60_000],
] as const;
type Period = (typeof PERIODS)[number][0];

const RUNNING_POLL_MS = 500;

/** The last job, or null when there was none. */
const lastRecovery = (id: string): Promise<Recovery | null> =>
  getRecovery(id).then(
    ({ data }) => data,
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    },
  );

/** Sends missed deliveries again, and shows the progress. */
export function Recover({ webhook }: { webhook: Webhook }) {
  const { id, held_count: held } = webhook;
  const queries = useQueryClient();
  const [isStarted, setStarted] = useState(false);
  const [period, setPeriod] = useState<Period>('24');
  const { data: job } = useQuery({
    queryKey: ['recovery', id],
    queryFn: () => lastRecovery(id),
    // A webhook without missed deliveries needs no request.
    enabled: isStarted || held > 0 || webhook.failing_since_ms !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_POLL_MS : false),
  });
  async function recover(): Promise<string> {
    const [, , ms] = PERIODS.find(([value]) => value === period) ?? PERIODS[0];
    const { data } = await postRecovery(id, Date.now() - ms);
    queries.setQueryData(['recovery', id], data);
    setStarted(true);
    return data.found === 0 ? 'There is nothing to send again.' : `${data.found} deliveries are sent again.`;
  }
  return (
    <section class="card stack" aria-label="Missed deliveries">
      <div class="section-header">
        <div>
          <h2>Missed deliveries</h2>
          <p class="hint">
            {held === 0 ? 'Nothing is held.' : `${held.toLocaleString()} held.`} Recover sends again what
            failed, is held or waits for its next try, oldest first.
          </p>
        </div>
        <div class="actions">
          <label class="inline-field">
            <span class="label">Since</span>
            <select
              value={period}
              onChange={({ currentTarget }) => {
                const [value] = PERIODS.find(([each]) => each === currentTarget.value) ?? PERIODS[0];
                setPeriod(value);
              }}
            >
              {PERIODS.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          <ActionButton act={recover} isDisabled={job?.status === 'running'}>
            Recover
          </ActionButton>
        </div>
      </div>
      {job != null && <Progress job={job} isFailing={webhook.failing_since_ms !== null} />}
    </section>
  );
}

interface ProgressProps {
  job: Recovery;
  isFailing: boolean;
}

function Progress({ job, isFailing }: ProgressProps) {
  const { status, found, sent, finished_at_ms: finished } = job;
  const text = `${Math.min(sent, found).toLocaleString()} of ${found.toLocaleString()} sent`;
  return (
    <div class="meter">
      <div class="row">
        <span>
          {status === 'running' ? 'Recovering: ' : 'Recovered: '}
          {text}
        </span>
        {finished !== null && (
          <span class="hint">
            finished <Time ms={finished} />
          </span>
        )}
      </div>
      <progress
        aria-label="Recovery"
        max={Math.max(found, 1)}
        value={found === 0 ? 1 : Math.min(sent, found)}
      />
      {status === 'running' && isFailing && (
        <p class="hint">The webhook fails at the moment. The job goes on when an attempt succeeds.</p>
      )}
    </div>
  );
}
