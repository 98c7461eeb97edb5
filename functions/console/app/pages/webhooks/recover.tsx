import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/refused-request.ts';
import { getRecovery, postRecovery } from '../../api/webhook-api.ts';
import type { Recovery, Webhook } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { Time } from '../../components/time.tsx';
import { countText } from '../../locale.ts';

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

const STORAGE_KEY = 'tributary.recoveries';

/**
 * The webhooks with a recovery that this tab started. It is kept in the tab's session storage, so that a reload shows
 * the progress.
 */
const startedHere = {
  has: (id: string): boolean => idsHere().includes(id),
  add(id: string): void {
    sessionStorage.setItem(STORAGE_KEY, [...idsHere().filter((each) => each !== id), id].slice(-100).join(' '));
  },
};

const idsHere = (): string[] => (sessionStorage.getItem(STORAGE_KEY) ?? '').split(' ');

/** Sends missed deliveries again, and shows the progress. */
export function Recover({ webhook }: { webhook: Webhook }) {
  const { id, held_count: held } = webhook;
  const queries = useQueryClient();
  const [isStarted, setStarted] = useState(() => startedHere.has(id));
  const [period, setPeriod] = useState<Period>('24');
  const { data: job } = useQuery({
    queryKey: ['recovery', id],
    queryFn: () => lastRecovery(id),
    // A webhook without a job is 404, which the browser writes into its console: only a known job is read.
    enabled: isStarted,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_POLL_MS : false),
  });
  async function recover(): Promise<string> {
    const [, , ms] = PERIODS.find(([value]) => value === period) ?? PERIODS[0];
    const { data } = await postRecovery(id, Date.now() - ms);
    queries.setQueryData(['recovery', id], data);
    startedHere.add(id);
    setStarted(true);
    return data.found === 0 ? 'There is nothing to send again.' : `${data.found} deliveries are sent again.`;
  }
  async function showLast(): Promise<string> {
    const last = await lastRecovery(id);
    if (last === null) return 'Nothing has been recovered yet.';
    queries.setQueryData(['recovery', id], last);
    setStarted(true);
    return last.status === 'running' ? 'A recovery is running.' : 'The last recovery is shown.';
  }
  return (
    <section class="card stack" aria-label="Missed deliveries">
      <div class="section-header">
        <div>
          <h2>Missed deliveries</h2>
          <p class="hint">
            {held === 0 ? 'Nothing is held.' : `${countText(held)} held.`} Recover sends again what failed, is held or
            waits for its next try, oldest first.
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
          {!isStarted && <ActionButton act={showLast}>Show last job</ActionButton>}
        </div>
      </div>
      {job != null && <Progress job={job} isFailing={webhook.failing_since_ms !== null} />}
    </section>
  );
}

function Progress({ job, isFailing }: { job: Recovery; isFailing: boolean }) {
  const { status, found, sent, delivered, finished_at_ms: finished } = job;
  const outcome =
    delivered === null
      ? ''
      : `, ${countText(delivered)} delivered, ${countText(Math.max(sent - delivered, 0))} failed again`;
  const text = `${countText(Math.min(sent, found))} of ${countText(found)} sent${outcome}`;
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
      <progress aria-label="Recovery" max={Math.max(found, 1)} value={found === 0 ? 1 : Math.min(sent, found)} />
      {status === 'running' && isFailing && (
        <p class="hint">
          The webhook fails at the moment. If its receiver does not work, the job goes on when it does.
        </p>
      )}
    </div>
  );
}
