import { useQuery } from '@tanstack/preact-query';
import type { ShownDelivery } from '../../api/delivery-api.ts';
import { getWebhook } from '../../api/webhook-api.ts';
import type { DeliveryWithAttempts } from '../../api/wire.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { AttemptOutcome } from '../../events/attempt-text.tsx';
import { HeaderList } from './header-list.tsx';
import { requestHeaders } from './request-headers.ts';

type Attempt = DeliveryWithAttempts['attempt_log'][number];

/** The attempts of a delivery, newest first, each with its response and its headers. */
export function Attempts({ delivery }: { delivery: ShownDelivery }) {
  const { attempt_log: log, status, webhook_id: webhookId } = delivery;
  const webhook = useQuery({ queryKey: ['webhook', webhookId], queryFn: () => getWebhook(webhookId) });
  const customNames = Object.keys(webhook.data?.data.headers ?? {});
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
        <>
          <AttemptTable attempts={newestFirst} />
          <ul class="plain stack" aria-label="Headers">
            {newestFirst.map((attempt) => (
              <li key={keyOf(attempt)}>
                <Headers delivery={delivery} attempt={attempt} customNames={customNames} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** An attempt of a redelivery may have the number of another one that began at the same time. */
const keyOf = ({ attempt, at_ms: at }: Attempt): string => `${attempt} ${at}`;

const AttemptTable = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <Table
    name="Attempts"
    rows={attempts}
    idOf={keyOf}
    columns={[
      { name: 'Attempt', kind: 'number', cell: ({ attempt }) => attempt },
      { name: 'Began', cell: ({ at_ms: ms }) => <Time ms={ms} /> },
      { name: 'Outcome', cell: (attempt) => <AttemptOutcome attempt={attempt} /> },
      { name: 'Response', cell: (attempt) => <HttpResponse attempt={attempt} /> },
    ]}
  />
);

interface HeadersProps {
  delivery: ShownDelivery;
  attempt: Attempt;
  customNames: readonly string[];
}

/** The headers of one attempt, folded. */
const Headers = ({ delivery, attempt, customNames }: HeadersProps) => (
  <details class="card">
    <summary>Headers of attempt {attempt.attempt}</summary>
    <div class="grid">
      <section class="headers" aria-label={`Request of attempt ${attempt.attempt}`}>
        <h3>Request</h3>
        <HeaderList headers={requestHeaders(delivery, attempt, customNames)} />
        {customNames.length > 0 && <p class="hint">The custom headers are those that the webhook has now.</p>}
      </section>
      <section class="headers" aria-label={`Response of attempt ${attempt.attempt}`}>
        <h3>Response</h3>
        <ResponseHeaders attempt={attempt} />
      </section>
    </div>
  </details>
);

function HttpResponse({
  attempt: { attempt: number, answer: text, reason, status, response_headers: headers },
}: {
  attempt: Attempt;
}) {
  if (reason !== null) return <span class="reason">{reason}</span>;
  const isRedirect = status !== null && status >= 300 && status < 400;
  const location = isRedirect ? headers?.find(({ name }) => name === 'location')?.value : undefined;
  return (
    <>
      {location !== undefined && (
        <p class="location">
          Location: <code>{location}</code> <span class="muted">Redirects are not followed.</span>
        </p>
      )}
      {text === null || text === '' ? (
        <span class="muted">{text === null ? 'not kept' : 'no body'}</span>
      ) : (
        // The keyboard scrolls a long response.
        <pre class="answer" tabIndex={0} role="region" aria-label={`Response ${number}`}>
          {text}
        </pre>
      )}
    </>
  );
}

function ResponseHeaders({ attempt: { status, response_headers: headers } }: { attempt: Attempt }) {
  if (headers !== null) return <HeaderList headers={headers} />;
  return (
    <p class="hint">
      {status === null
        ? 'There was no response.'
        : 'The headers of the response were not kept: they are kept of failed attempts, tests and redeliveries.'}
    </p>
  );
}
