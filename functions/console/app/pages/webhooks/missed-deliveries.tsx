import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { Allowed } from '../../api/rights.tsx';
import { attemptAfter, redeliver, type Waiting } from '../../api/delivery-api.ts';
import type { Recovery, Webhook } from '../../api/wire.ts';
import { useWaiting, waitingText } from '../../attention/use-waiting.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { Time } from '../../components/time.tsx';
import { sentenceOfTry } from '../../events/attempt-text.tsx';
import { countText } from '../../locale.ts';
import { readLastRecovery, startedHere } from './started-recoveries.ts';

/** Each poll makes two requests. */
const WAITING_POLL_MS = 10_000;
const RUNNING_POLL_MS = 500;
/** A job that ended is shown for this long. */
const ENDED_MS = 10 * 60_000;

/** A job that runs, or ended a moment ago. */
function useShownRecovery(id: string): Recovery | undefined {
  const { data: job } = useQuery({
    queryKey: ['recovery', id],
    queryFn: () => readLastRecovery(id),
    // A webhook without a job is 404, which the browser writes into its console: only a known job is read.
    enabled: startedHere.has(id),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_POLL_MS : false),
  });
  return job == null || (job.finished_at_ms ?? Infinity) < Date.now() - ENDED_MS ? undefined : job;
}

/** Whether deliveries of the webhook wait for it, or for a person. */
export const isMissingDeliveries = ({ active, failing_since_ms: failing, held_count: held }: Webhook): boolean =>
  (active && failing !== null) || held > 0;

interface MissedDeliveriesProps {
  webhook: Webhook;
  /** Opens the dialog that recovers. */
  onRecover: () => void;
}

/** The deliveries that wait or are held, with the means to send them. Nothing when all is well. */
export function MissedDeliveries({ webhook, onRecover }: MissedDeliveriesProps) {
  const job = useShownRecovery(webhook.id);
  const isMissing = isMissingDeliveries(webhook);
  if (!isMissing && !job) return null;
  return (
    <section class="card stack" aria-label="Missed deliveries">
      {isMissing && <Missing webhook={webhook} onRecover={onRecover} />}
      {job && <Progress job={job} isFailing={webhook.failing_since_ms !== null} />}
    </section>
  );
}

function Missing({ webhook, onRecover }: MissedDeliveriesProps) {
  const { id, active, held_count: held, next_attempt_ms: nextMs } = webhook;
  const { data: waiting } = useWaiting(active ? id : undefined, WAITING_POLL_MS);
  return (
    <div class="section-header">
      <div>
        <h2>Missed deliveries</h2>
        <p>
          {held > 0 && `${countText(held)} held. `}
          {!active && 'Enable the webhook to send them.'}
          {waiting && (waiting.count > 0 || held === 0) && (
            <WaitingSentence waiting={waiting} nextMs={nextMs ?? waiting.next?.next_attempt_ms ?? null} />
          )}
        </p>
      </div>
      <div class="actions">
        {waiting?.next && <TryNow webhookId={id} deliveryId={waiting.next.id} />}
        <Allowed>
          <button type="button" onClick={onRecover}>
            Recover…
          </button>
        </Allowed>
      </div>
    </div>
  );
}

/** `299 wait. Next try 9:51:51, the oldest came 9:41:02.` */
function WaitingSentence({ waiting, nextMs }: { waiting: Waiting; nextMs: number | null }) {
  const { count, oldestMs } = waiting;
  if (count === 0) return <>Nothing waits.</>;
  return (
    <>
      {waitingText(waiting)} {count === 1 ? 'waits' : 'wait'}.{' '}
      {nextMs !== null && (
        <>
          Next try <Time ms={nextMs} />
        </>
      )}
      {oldestMs !== null && (
        <>
          {nextMs === null ? 'The' : ', the'} oldest came <Time ms={oldestMs} />
        </>
      )}
      .
    </>
  );
}

/** Makes one attempt of one waiting delivery: its success sends the others. The service limits its repetitions. */
function TryNow({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const queries = useQueryClient();
  async function tryNow(): Promise<string> {
    const { data: before } = await redeliver(webhookId, deliveryId);
    const after = await attemptAfter(before);
    for (const key of ['webhook', 'waiting', 'deliveries'])
      void queries.invalidateQueries({ queryKey: [key, webhookId] });
    return after === undefined ? 'The attempt is not over yet. Its outcome appears here.' : sentenceOfTry(after);
  }
  return (
    <ActionButton isMain act={tryNow}>
      Try now
    </ActionButton>
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
