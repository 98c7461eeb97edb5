import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { Allowed } from '../../api/rights.tsx';
import { isRefusalOf, sentenceOf } from '../../api/refused-request.ts';
import { createWebhook } from '../../api/webhook-api.ts';
import type { NewWebhook } from '../../api/wire.ts';
import { OwnersOnly } from '../../components/empty-state.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { useNotices } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { filterProblem } from '../../events/filter-problem.ts';
import { useSubmit } from '../../hooks/use-submit.ts';
import { addSubscription, NO_SUBSCRIPTION } from '../../subscriptions/subscription-fields.ts';
import { CreatedWebhook, type Subscribed } from './created-webhook.tsx';
import { NameBoxes, RequestBoxes } from './settings-boxes.tsx';
import { SubscribeBoxes } from './subscribe-boxes.tsx';
import { NO_FIELDS, settingsOf, type WebhookFields } from './webhook-fields.ts';

interface Created {
  webhook: NewWebhook;
  subscribed: Subscribed;
}

/** `?emitter=` chooses the emitter in advance. */
export function NewWebhookPage() {
  const [created, setCreated] = useState<Created>();
  return (
    <Page title="New webhook" section="Webhooks">
      <Allowed otherwise={<OwnersOnly act="creates webhooks" />}>
        {created === undefined ? <WebhookForm onCreated={setCreated} /> : <CreatedWebhook {...created} />}
      </Allowed>
    </Page>
  );
}

function WebhookForm({ onCreated }: { onCreated: (created: Created) => void }) {
  const { query } = useLocation();
  const queries = useQueryClient();
  const { say } = useNotices();
  const [fields, setFields] = useState(NO_FIELDS);
  const [subscription, setSubscription] = useState({ ...NO_SUBSCRIPTION, emitter: query['emitter'] ?? '' });
  const [sentUrl, setSentUrl] = useState('');
  const change = (changed: Partial<WebhookFields>): void => setFields((typed) => ({ ...typed, ...changed }));

  /** The secret is shown only once, so a refused subscription must not hide the webhook that has been made. */
  async function subscribed(id: string): Promise<Subscribed> {
    if (subscription.emitter === '') return { isDone: false };
    try {
      await queries.invalidateQueries({ queryKey: [await addSubscription(subscription, id)] });
      return { isDone: true };
    } catch (error) {
      return { isDone: false, error };
    }
  }
  const { submit, isPending, error } = useSubmit(async () => {
    const problem = subscription.emitter === '' ? undefined : filterProblem(subscription.filter);
    if (problem !== undefined) throw new Error(problem);
    setSentUrl(fields.url);
    const { data: webhook } = await createWebhook(settingsOf(fields));
    onCreated({ webhook, subscribed: await subscribed(webhook.id) });
    say('The webhook was created. Copy its secret now.');
  });
  const isUrlRefused = isRefusalOf(error, 'url');
  return (
    <form class="card stack form" noValidate autocomplete="off" onSubmit={submit}>
      <NameBoxes
        fields={fields}
        onChange={change}
        urlProblem={isUrlRefused && fields.url === sentUrl ? sentenceOf(error) : undefined}
      />
      <SubscribeBoxes fields={subscription} onChange={setSubscription} />
      <details>
        <summary>Rate limit, retries, order, format, target and headers</summary>
        <div class="stack">
          <RequestBoxes fields={fields} onChange={change} />
        </div>
      </details>
      <FormEnd
        error={isUrlRefused ? undefined : error}
        isPending={isPending}
        text="Create webhook"
        pendingText="Creating…"
      />
    </form>
  );
}
