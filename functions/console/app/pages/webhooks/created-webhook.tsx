import { webhookName } from '../../api/webhook-name.ts';
import type { NewWebhook } from '../../api/wire.ts';
import { ErrorText } from '../../components/refusal.tsx';
import { SecretCard } from './secret-card.tsx';
import { Snippets } from './snippets.tsx';

/** Whether the first subscription was made, and its refusal. */
export interface Subscribed {
  isDone: boolean;
  error?: unknown;
}

interface CreatedWebhookProps {
  webhook: NewWebhook;
  subscribed: Subscribed;
}

/** The secret of a new webhook, and what to do next. */
export const CreatedWebhook = ({ webhook, subscribed: { isDone, error } }: CreatedWebhookProps) => (
  <>
    <SecretCard secret={webhook.secret} />
    <section class="card stack" aria-label="Next steps">
      <h2>Next</h2>
      <p>
        The webhook <strong>{webhookName(webhook)}</strong>{' '}
        {isDone
          ? 'gets every event from now on. Send it a test from its page.'
          : 'gets no events yet. Subscribe it to a source or a workflow.'}
      </p>
      {error !== undefined && <ErrorText error={error} />}
      <div class="actions">
        {!isDone && (
          <a class="button primary" href={`/console/subscriptions?listener=${webhook.id}`}>
            Subscribe it
          </a>
        )}
        <a class={isDone ? 'button primary' : 'button'} href={`/console/webhooks/${webhook.id}`}>
          Open the webhook
        </a>
      </div>
    </section>
    <Snippets />
  </>
);
