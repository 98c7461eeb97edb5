import { type ComponentChildren, Fragment } from 'preact';
import type { Webhook, WebhookSettings } from '../../api/wire.ts';
import { IdLine } from '../../components/id-line.tsx';
import { Time, TimeOrDash } from '../../components/time.tsx';
import { AttemptOutcome } from '../../events/attempt-text.tsx';
import { countText } from '../../locale.ts';

/** A name, and the content. Without content it is left out. */
type Fact = readonly [name: string, contentOf: (webhook: Webhook) => ComponentChildren];

const timeOf = (ms: number | null) => ms !== null && <Time ms={ms} />;

/** The settings. The head of the page shows the name and the state. */
const { url, description, ...others } = {
  url: ['URL', (webhook) => <IdLine name="URL">{webhook.url}</IdLine>],
  description: ['Description', (webhook) => webhook.description],
  rate_limit: ['Rate limit', ({ rate_limit: limit }) => (limit === null ? 'None' : `${countText(limit)} a second`)],
  headers: [
    'Headers',
    ({ headers }) =>
      Object.keys(headers).length > 0 && (
        <ul class="plain">
          {Object.keys(headers).map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
      ),
  ],
} satisfies Record<Exclude<keyof WebhookSettings, 'name' | 'active'>, Fact>;

const FACTS: readonly Fact[] = [
  url,
  description,
  [
    'Last attempt',
    ({ last_attempt: last }) =>
      last === null ? (
        <span class="muted">None yet</span>
      ) : (
        <span class="row">
          <AttemptOutcome attempt={last} />
          <Time ms={last.at_ms} />
        </span>
      ),
  ],
  ['Last success', ({ last_success_ms: ms }) => <TimeOrDash ms={ms} />],
  ['Failing since', ({ failing_since_ms: ms }) => timeOf(ms)],
  ['Slow since', ({ slow_since_ms: ms }) => timeOf(ms)],
  ['Deliveries come from', ({ delivery_addresses: all }) => all !== null && <code>{all.join(', ')}</code>],
  ['Subscriptions', ({ id }) => <a href={`/console/subscriptions?q=${id}`}>Show its subscriptions</a>],
  ...Object.values(others),
];

/** The state of a webhook, at a glance. */
export const WebhookFacts = ({ webhook }: { webhook: Webhook }) => (
  <section class="card" aria-label="About">
    <dl class="facts">
      {FACTS.map(([name, contentOf]) => [name, contentOf(webhook)] as const)
        .filter(([, content]) => content !== null && content !== false)
        .map(([name, content]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{content}</dd>
          </Fragment>
        ))}
    </dl>
  </section>
);
