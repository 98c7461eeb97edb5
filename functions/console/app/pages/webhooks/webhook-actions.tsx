import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso/router';
import { deleteWebhook, postSecret, postTest, putWebhook } from '../../api/webhook-api.ts';
import type { TestResult, Webhook } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { DeleteButton } from '../../components/buttons/delete-button.tsx';
import { sentenceOfTest } from '../../events/attempt-text.tsx';
import { replaceData } from '../../hooks/replace-data.ts';

interface WebhookActionsProps {
  webhook: Webhook;
  onSecret: (secret: string) => void;
  onTested: (result: TestResult) => void;
}

/** The main actions of a webhook. */
export function WebhookActions({ webhook: { id, name, url, active }, onSecret, onTested }: WebhookActionsProps) {
  const { route } = useLocation();
  const queries = useQueryClient();
  async function test(): Promise<string> {
    const { data } = await postTest(id);
    onTested(data);
    await queries.invalidateQueries({ queryKey: ['deliveries', id] });
    return sentenceOfTest(data);
  }
  async function rotate(): Promise<string> {
    const { data } = await postSecret(id, false);
    onSecret(data.secret);
    return 'The webhook has a new secret. The one before also signs for 24 hours.';
  }
  async function toggle(): Promise<string> {
    const response = await putWebhook(id, { active: !active });
    await replaceData(queries, ['webhook', id], response);
    return active ? 'Disabled. Its events are held.' : 'Enabled. What was held waits for “Recover”.';
  }
  async function remove(): Promise<string> {
    await deleteWebhook(id);
    await queries.invalidateQueries({ queryKey: ['webhooks'] });
    route('/console/webhooks');
    return `${name ?? url} was deleted.`;
  }
  return (
    <>
      <ActionButton isMain act={test}>
        Send test
      </ActionButton>
      <ActionButton act={rotate}>Rotate secret</ActionButton>
      <ActionButton act={toggle}>{active ? 'Disable' : 'Enable'}</ActionButton>
      <DeleteButton title={`Delete ${name ?? url}?`} onDelete={remove}>
        <p>Its subscriptions, its deliveries and what is held for it are lost.</p>
      </DeleteButton>
    </>
  );
}
