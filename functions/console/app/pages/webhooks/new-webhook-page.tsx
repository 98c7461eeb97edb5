import { useState } from 'preact/hooks';
import { createWebhook } from '../../api/webhook-api.ts';
import type { NewWebhook } from '../../api/wire.ts';
import { useNotices } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { ErrorText } from '../../components/refusal.tsx';
import { SubmitButton } from '../../components/buttons/submit-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useSubmit } from '../../hooks/use-submit.ts';
import { SecretCard } from './secret-card.tsx';

export function NewWebhookPage() {
  const [created, setCreated] = useState<NewWebhook>();
  return (
    <Page title="New webhook" about={<a href="/console/webhooks">All webhooks</a>}>
      {created === undefined ? <WebhookForm onCreated={setCreated} /> : <Created webhook={created} />}
    </Page>
  );
}

const filled = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

function WebhookForm({ onCreated }: { onCreated: (webhook: NewWebhook) => void }) {
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { say } = useNotices();
  const { submit, isPending, error } = useSubmit(async () => {
    const { data } = await createWebhook({
      url: url.trim(),
      name: filled(name),
      description: filled(description),
    });
    onCreated(data);
    say('The webhook was created. Copy its secret now.');
  });
  return (
    <form class="card stack form" noValidate onSubmit={submit}>
      <TextField
        label="URL"
        hint="Events are sent here as POST requests. http and https."
        value={url}
        onChange={setUrl}
        placeholder="https://example.org/hooks"
      />
      <TextField label="Name" isOptional value={name} onChange={setName} />
      <TextField label="Description" isOptional value={description} onChange={setDescription} />
      {error !== undefined && <ErrorText error={error} />}
      <div class="actions">
        <SubmitButton isPending={isPending} pendingText="Creating…">
          Create webhook
        </SubmitButton>
      </div>
    </form>
  );
}

const Created = ({ webhook: { id, name, url, secret } }: { webhook: NewWebhook }) => (
  <>
    <SecretCard secret={secret} />
    <section class="card stack" aria-label="Next steps">
      <h2>Next</h2>
      <p>
        The webhook <strong>{name ?? url}</strong> gets no events yet. Subscribe it to a source or a workflow.
      </p>
      <div class="actions">
        <a class="button primary" href={`/console/subscriptions?listener=${id}`}>
          Subscribe it
        </a>
        <a class="button" href={`/console/webhooks/${id}`}>
          Open the webhook
        </a>
      </div>
    </section>
  </>
);
