import { listWebhooks, putWebhook } from '../../api/webhook-api.ts';
import { webhookName } from '../../api/webhook-name.ts';
import type { WebhookItem } from '../../api/wire.ts';
import { TimeOrDash } from '../../components/time.tsx';
import { AttemptOutcome } from '../../events/attempt-text.tsx';
import { type WholeList, WholeListPage } from '../../lists/whole-list-page.tsx';
import { countText } from '../../locale.ts';
import { healthNameOf, HEALTHS, WebhookHealth } from './webhook-health.tsx';

/** The webhooks that fail come first, unless the address says otherwise. */
const LIST: WholeList<WebhookItem> = {
  title: 'Webhooks',
  one: 'webhook',
  many: 'webhooks',
  about: 'A webhook is an address of yours that gets events as signed requests, and again when it was down.',
  searched: 'Name, URL or id',
  filter: { name: 'health', label: 'Health', all: 'Any health', values: HEALTHS },
  read: (filters, after) => listWebhooks(filters, after),
  isShown: (webhook, health) => healthNameOf(webhook) === health,
  nameOf: webhookName,
  put: putWebhook,
  measure: 'attempts',
  standard: 'Health',
  columns: [
    [
      {
        name: 'Webhook',
        sort: { keyOf: webhookName },
        cell: ({ id, name, url }) => (
          <>
            <a class="entry" href={`/console/webhooks/${id}`} title={webhookName({ name, url })}>
              {webhookName({ name, url })}
            </a>
            {name !== null && (
              <span class="sub entry" title={url}>
                {url}
              </span>
            )}
          </>
        ),
      },
      {
        name: 'Health',
        // A disabled webhook that holds deliveries is worse than a healthy one.
        sort: {
          keyOf: (webhook) =>
            HEALTHS.indexOf(webhook.held_count > 0 && !webhook.active ? 'off' : healthNameOf(webhook)),
        },
        cell: (webhook) => <WebhookHealth webhook={webhook} />,
      },
    ],
    [
      {
        name: 'Last attempt',
        kind: 'wide',
        sort: { keyOf: ({ last_attempt: last }) => last?.at_ms ?? 0, isDescendingFirst: true },
        cell: ({ last_attempt: last }) =>
          last === null ? <span class="muted">–</span> : <AttemptOutcome attempt={last} />,
      },
      {
        name: 'Last success',
        kind: 'widest',
        sort: { keyOf: ({ last_success_ms: ms }) => ms ?? 0, isDescendingFirst: true },
        cell: ({ last_success_ms: ms }) => <TimeOrDash ms={ms} />,
      },
      {
        name: 'Held',
        kind: 'number',
        sort: { keyOf: ({ held_count: held }) => held, isDescendingFirst: true },
        cell: ({ held_count: held }) => countText(held),
      },
    ],
  ],
};

export const WebhooksPage = () => <WholeListPage list={LIST} />;
