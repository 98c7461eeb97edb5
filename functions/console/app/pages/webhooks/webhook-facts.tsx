import type { ComponentChildren } from 'preact';
import { textOfTarget } from '../../../../../shared/domain/target/target-kind-names.ts';
import { triesOf } from '../../../../../shared/domain/delivery/retry-schedule.ts';
import { FORMAT_NAMES } from '../../../../../shared/domain/webhook/webhook-format.ts';
import type { Webhook, WebhookSettings } from '../../api/wire.ts';
import { About } from '../../components/facts.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Time, TimeOrDash } from '../../components/time.tsx';
import { AttemptOutcome } from '../../events/attempt-text.tsx';
import { countText } from '../../locale.ts';

type Fact = readonly [name: string, contentOf: (webhook: Webhook) => ComponentChildren];

const timeOf = (ms: number | null) => ms !== null && <Time ms={ms} />;

/** The settings. The head of the page shows the name, the state and the tags. */
const { url, description, ...others } = {
  url: ['URL', (webhook) => <IdLine name="URL">{webhook.url}</IdLine>],
  description: ['Description', (webhook) => webhook.description],
  rate_limit: ['Rate limit', ({ rate_limit: limit }) => (limit === null ? 'None' : `${countText(limit)} a second`)],
  retry_seconds: ['Retries', ({ retry_seconds: pauses, ordered }) => triesOf(pauses, ordered)],
  ordered: ['Order', ({ ordered }) => ordered && 'One event of a source at a time'],
  format: ['Format', ({ format }) => FORMAT_NAMES[format]],
  target: ['Target on AWS', ({ target }) => target !== null && <IdLine name="ARN">{textOfTarget(target)}</IdLine>],
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
} satisfies Record<Exclude<keyof WebhookSettings, 'name' | 'active' | 'tags'>, Fact>;

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
  <About facts={FACTS.map(([name, contentOf]) => [name, contentOf(webhook)])} isInPairs />
);
