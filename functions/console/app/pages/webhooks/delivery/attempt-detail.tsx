import { FORMAT_NAMES } from '../../../../../../shared/domain/webhook/webhook-format.ts';
import type { ShownDelivery } from '../../../api/delivery-api.ts';
import type { DeliveryWithAttempts, Webhook } from '../../../api/wire.ts';
import { HeaderList } from './header-list.tsx';
import { requestHeaders } from './request-headers.ts';
import { ResponseDiff } from './response-diff.tsx';

type Attempt = DeliveryWithAttempts['attempt_log'][number];

interface AttemptDetailProps {
  delivery: ShownDelivery;
  attempt: Attempt;
  webhook: Webhook | undefined;
}

/** The request of an attempt, and its response beside it. */
export function AttemptDetail({ delivery, attempt, webhook }: AttemptDetailProps) {
  const customNames = Object.keys(webhook?.headers ?? {});
  return (
    <div class="grid">
      <section class="headers" aria-label={`Request of attempt ${attempt.attempt}`}>
        <h3>Request</h3>
        <HeaderList headers={requestHeaders(delivery, attempt, customNames, webhook?.format)} />
        <p class="hint">
          The body is the event.{formatText(webhook)}
          {customNames.length > 0 && ' The custom headers are those that the webhook has now.'}
        </p>
      </section>
      <section class="headers" aria-label={`Response of attempt ${attempt.attempt}`}>
        <h3>Response</h3>
        <HttpResponse attempt={attempt} />
        <ResponseDiff attempt={attempt} all={delivery.attempt_log} />
      </section>
    </div>
  );
}

/** Attempts keep no body: a webhook may have had another format then. */
const formatText = (webhook: Webhook | undefined): string =>
  webhook === undefined || webhook.format === 'event'
    ? ''
    : ` The format of the webhook is now ${FORMAT_NAMES[webhook.format]}.`;

function HttpResponse({
  attempt: { attempt: number, answer: text, reason, status, response_headers: headers },
}: {
  attempt: Attempt;
}) {
  if (reason !== null) return <p>{reason}</p>;
  if (text === null)
    return (
      <p class="hint">
        This response was not kept: those of failed attempts, tests and redeliveries are, and one success a minute.
      </p>
    );
  const isRedirect = status !== null && status >= 300 && status < 400;
  const location = isRedirect ? headers?.find(({ name }) => name === 'location')?.value : undefined;
  return (
    <>
      {location !== undefined && (
        <p class="location">
          Location: <code>{location}</code> <span class="muted">Redirects are not followed.</span>
        </p>
      )}
      {text === '' ? (
        <p class="muted">no body</p>
      ) : (
        // The keyboard scrolls a long response.
        <pre class="answer" tabIndex={0} role="region" aria-label={`Response ${number}`}>
          {text}
        </pre>
      )}
      {headers !== null && <HeaderList headers={headers} />}
    </>
  );
}
