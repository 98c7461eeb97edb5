import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso/router';
import { deleteWebhook, postPortalLink, postSecret, postTest, putWebhook } from '../../api/webhook-api.ts';
import { webhookName } from '../../api/webhook-name.ts';
import type { TestResult, Webhook } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { deleteAction, Menu, switchAction } from '../../components/buttons/menu.tsx';
import { sentenceOfTest } from '../../events/attempt-text.tsx';
import { replaceData } from '../../hooks/replace-data.ts';

interface WebhookActionsProps {
  webhook: Webhook;
  onSecret: (secret: string) => void;
  onTested: (result: TestResult) => void;
  onLink: (url: string) => void;
}

/** The main actions of a webhook. */
export function WebhookActions({ webhook, onSecret, onTested, onLink }: WebhookActionsProps) {
  const { id, active } = webhook;
  const name = webhookName(webhook);
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
  async function link(): Promise<string> {
    const { data } = await postPortalLink(id);
    onLink(data.url);
    return 'The link is good for an hour.';
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
    return `${name} was deleted.`;
  }
  return (
    <>
      <ActionButton isMain act={test}>
        Send test
      </ActionButton>
      <Menu
        items={[
          { name: 'Rotate secret', act: rotate, progress: 'Rotating the secret…' },
          { name: 'Portal link', act: link, progress: 'Making a link…' },
          switchAction(active, toggle),
          deleteAction(
            `Delete ${name}?`,
            <p>Its subscriptions, its deliveries and what is held for it are lost.</p>,
            remove,
          ),
        ]}
      />
    </>
  );
}
