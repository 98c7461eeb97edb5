import { useId, useState } from 'preact/hooks';
import type { ShownDelivery } from '../../../api/delivery-api.ts';
import type { DeliveryWithAttempts, Webhook } from '../../../api/wire.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Time } from '../../../components/time.tsx';
import { AttemptOutcome } from '../../../events/attempt-text.tsx';
import { AttemptDetail } from './attempt-detail.tsx';

type Attempt = DeliveryWithAttempts['attempt_log'][number];

/** The attempts of a delivery, newest first: rows that open. */
export function Attempts({ delivery, webhook }: { delivery: ShownDelivery; webhook: Webhook | undefined }) {
  const { attempt_log: log, status } = delivery;
  const newestFirst = log.toReversed();
  return (
    <section class="stack" aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      {log.length === 0 ? (
        <EmptyState title="No attempt yet.">
          <p>
            {status === 'held'
              ? 'The webhook is off. Enable it and use Recover, or redeliver this one now.'
              : 'The delivery waits until its webhook works again, or for the rate limit of the webhook.'}
          </p>
        </EmptyState>
      ) : (
        <div class="table-frame">
          <table aria-label="Attempts" class="attempts">
            <tbody>
              {newestFirst.map((attempt, n) => (
                <AttemptRow
                  key={keyOf(attempt)}
                  attempt={attempt}
                  delivery={delivery}
                  webhook={webhook}
                  // A person comes for the reason of the last failure.
                  isOpenFirst={n === 0 && attempt.outcome !== 'delivered'}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** An attempt of a redelivery may have the number of another one that began at the same time. */
const keyOf = ({ attempt, at_ms: at }: Attempt): string => `${attempt} ${at}`;

interface AttemptRowProps {
  attempt: Attempt;
  delivery: ShownDelivery;
  webhook: Webhook | undefined;
  isOpenFirst: boolean;
}

/** One attempt on a line; a press opens its request and its response. */
function AttemptRow({ attempt, delivery, webhook, isOpenFirst }: AttemptRowProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <>
      <tr class="attempt">
        <th scope="row">
          <button
            type="button"
            class="quiet opener"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            Attempt {attempt.attempt}
          </button>
        </th>
        <td>
          <Time ms={attempt.at_ms} />
        </td>
        <td>
          <AttemptOutcome attempt={attempt} />
        </td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={3}>
            <AttemptDetail delivery={delivery} attempt={attempt} webhook={webhook} />
          </td>
        </tr>
      )}
    </>
  );
}
