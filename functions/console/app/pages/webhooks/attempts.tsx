import { useQuery } from '@tanstack/preact-query';
import type { ShownDelivery } from '../../api/delivery-api.ts';
import { getWebhook } from '../../api/webhook-api.ts';
import type { DeliveryWithAttempts } from '../../api/wire.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { AttemptOutcome } from './attempt-text.tsx';
import { HeaderList } from './header-list.tsx';
import { requestHeaders } from './request-headers.ts';

type Attempt = DeliveryWithAttempts['attempt_log'][number];

/** The attempts of a delivery, newest first, each with its response and its headers. */
export function Attempts({ delivery }: { delivery: ShownDelivery }) {
  const { attempt_log: log, status, webhook_id: webhookId } = delivery;
  const webhook = useQuery({ queryKey: ['webhook', webhookId], queryFn: () => getWebhook(webhookId) });
  const ownNames = Object.keys(webhook.data?.data.headers ?? {});
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
        <Table
          name="Attempts"
          rows={log.toReversed()}
          idOf={({ attempt, at_ms: at }) => `${attempt} ${at}`}
          columns={[
            { name: 'Attempt', kind: 'number', cell: ({ attempt }) => attempt },
            { name: 'Began', cell: ({ at_ms: ms }) => <Time ms={ms} /> },
            { name: 'Outcome', cell: (attempt) => <AttemptOutcome attempt={attempt} /> },
            {
              name: 'Answer',
              cell: (attempt) => (
                <div class="exchange">
                  <HttpResponse attempt={attempt} />
                  <details>
                    <summary>Headers</summary>
                    <HeaderList
                      name="Request headers"
                      headers={requestHeaders(delivery, attempt, ownNames)}
                    />
                    {ownNames.length > 0 && (
                      <p class="hint">The own headers are those that the webhook has now.</p>
                    )}
                    <ResponseHeaders attempt={attempt} />
                  </details>
                </div>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}

function HttpResponse({
  attempt: { answer: text, reason, response_headers: headers },
}: {
  attempt: Attempt;
}) {
  if (reason !== null) return <span class="reason">{reason}</span>;
  const location = headers?.find(({ name }) => name === 'location')?.value;
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
        <pre class="answer" tabIndex={0} role="region" aria-label="Answer">
          {text}
        </pre>
      )}
    </>
  );
}

function ResponseHeaders({ attempt: { status, response_headers: headers } }: { attempt: Attempt }) {
  if (headers !== null) return <HeaderList name="Response headers" headers={headers} />;
  return (
    <p class="hint">
      {status === null
        ? 'There was no response.'
        : 'The headers of the response were not kept: they are kept of failed attempts, tests and redeliveries.'}
    </p>
  );
}
