import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { postSecret, postTest, putWebhook } from '../api/webhook-api.ts';
import type { TestResult, Webhook } from '../api/wire.ts';
import { ActionButton } from '../components/buttons/action-button.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { useNotices } from '../components/notices.tsx';
import { TextField } from '../components/text-field.tsx';
import { sentenceOfTest } from '../events/attempt-text.tsx';
import { replaceData } from '../hooks/replace-data.ts';
import { useSubmit } from '../hooks/use-submit.ts';
import { SecretCard } from '../pages/webhooks/secret-card.tsx';
import { Snippets } from '../pages/webhooks/snippets.tsx';
import { TestOutcome } from '../pages/webhooks/test-outcome.tsx';

/** The settings of a webhook that a customer changes. */
export function PortalWebhook({ webhook: { id, url: stored, active } }: { webhook: Webhook }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const url = typed ?? stored;
  const [secret, setSecret] = useState<string>();
  const [result, setResult] = useState<TestResult>();
  const { say } = useNotices();
  const change = async (settings: { url: string } | { active: boolean }): Promise<void> =>
    replaceData(queries, ['webhook', id], await putWebhook(id, settings));
  const { submit, isPending, error } = useSubmit(async () => {
    await change({ url: url.trim() });
    setTyped(undefined);
    say('Saved.');
  });
  async function toggle(): Promise<string> {
    await change({ active: !active });
    return active ? 'Disabled. Events are held.' : 'Enabled. What was held waits for “Recover”.';
  }
  async function test(): Promise<string> {
    const { data } = await postTest(id);
    setResult(data);
    await queries.invalidateQueries({ queryKey: ['deliveries', id] });
    return sentenceOfTest(data);
  }
  async function rotate(): Promise<string> {
    const { data } = await postSecret(id, false);
    setSecret(data.secret);
    return 'There is a new secret. The one before also signs for 24 hours.';
  }
  return (
    <>
      <form class="card stack" aria-label="Settings" noValidate onSubmit={submit}>
        <TextField
          label="URL"
          value={url}
          onChange={setTyped}
          hint="Your receiver, which gets a POST for each event."
        />
        <FormEnd error={error} isPending={isPending} text="Save" pendingText="Saving…">
          <ActionButton act={test}>Send test</ActionButton>
          <ActionButton act={rotate}>Rotate secret</ActionButton>
          <ActionButton act={toggle}>{active ? 'Disable' : 'Enable'}</ActionButton>
        </FormEnd>
      </form>
      {secret !== undefined && <SecretCard secret={secret} />}
      {secret !== undefined && <Snippets />}
      {result !== undefined && <TestOutcome result={result} />}
    </>
  );
}
