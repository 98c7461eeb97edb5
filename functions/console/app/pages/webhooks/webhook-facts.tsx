import type { Webhook } from '../../api/wire.ts';
import { IdLine } from '../../components/id-line.tsx';
import { Time, TimeOrDash } from '../../components/time.tsx';
import { AttemptOutcome } from '../../events/attempt-text.tsx';
import { countText } from '../../locale.ts';

/** The state of a webhook, at a glance. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const headers = Object.entries(webhook.headers);
  return (
    <section class="card" aria-label="About">
      <dl class="facts">
        <dt>URL</dt>
        <dd>
          <IdLine name="URL">{webhook.url}</IdLine>
        </dd>
        {webhook.description !== null && (
          <>
            <dt>Description</dt>
            <dd>{webhook.description}</dd>
          </>
        )}
        <dt>Last attempt</dt>
        <dd>
          {webhook.last_attempt === null ? (
            <span class="muted">None yet</span>
          ) : (
            <span class="row">
              <AttemptOutcome attempt={webhook.last_attempt} />
              <Time ms={webhook.last_attempt.at_ms} />
            </span>
          )}
        </dd>
        <dt>Last success</dt>
        <dd>
          <TimeOrDash ms={webhook.last_success_ms} />
        </dd>
        {webhook.failing_since_ms !== null && (
          <>
            <dt>Failing since</dt>
            <dd>
              <Time ms={webhook.failing_since_ms} />
            </dd>
          </>
        )}
        {webhook.slow_since_ms !== null && (
          <>
            <dt>Slow since</dt>
            <dd>
              <Time ms={webhook.slow_since_ms} />
            </dd>
          </>
        )}
        <dt>Subscriptions</dt>
        <dd>
          <a href={`/console/subscriptions?q=${webhook.id}`}>Show its subscriptions</a>
        </dd>
        <dt>Rate limit</dt>
        <dd>{webhook.rate_limit === null ? 'None' : `${countText(webhook.rate_limit)} a second`}</dd>
        {headers.length > 0 && (
          <>
            <dt>Headers</dt>
            <dd>
              <ul class="plain">
                {headers.map(([name]) => (
                  <li key={name}>
                    <code>{name}</code>
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
