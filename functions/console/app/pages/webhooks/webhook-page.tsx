import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { deleteWebhook, getWebhook, postSecret, setWebhookActive, postTest } from '../../api/webhook-api.ts';
import type { TestResult, Webhook } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { DeleteButton } from '../../components/buttons/delete-button.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { useLive } from '../../hooks/use-live.ts';
import { sentenceOfTest } from './attempt-text.tsx';
import { Deliveries } from './deliveries.tsx';
import { Recover } from './recover.tsx';
import { SecretCard } from './secret-card.tsx';
import { Snippets } from './snippets.tsx';
import { TestOutcome } from './test-outcome.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookHealth } from './webhook-health.tsx';

export function WebhookPage({ id = '' }: { id?: string }) {
  const { interval } = useLive();
  const query = useQuery({
    queryKey: ['webhook', id],
    queryFn: () => getWebhook(id),
    refetchInterval: interval,
  });
  return query.data === undefined ? (
    <Page title="Webhook" about={<a href="/console/webhooks">All webhooks</a>}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  ) : (
    <OneWebhook key={id} webhook={query.data.data} />
  );
}

function OneWebhook({ webhook }: { webhook: Webhook }) {
  const { id, name, url } = webhook;
  const [secret, setSecret] = useState<string>();
  const [result, setResult] = useState<TestResult>();
  return (
    <Page
      title={name ?? url}
      mark={<WebhookHealth webhook={webhook} />}
      about={
        <>
          <a href="/console/webhooks">All webhooks</a>
          <IdLine name="id">{id}</IdLine>
        </>
      }
      actions={<Actions webhook={webhook} onSecret={setSecret} onTested={setResult} />}
    >
      {secret !== undefined && (
        <SecretCard secret={secret}>
          <RevokeEarlier id={id} onSecret={setSecret} />
        </SecretCard>
      )}
      {result !== undefined && <TestOutcome result={result} />}
      <WebhookFacts webhook={webhook} />
      <Recover webhook={webhook} />
      <Deliveries webhookId={id} />
      <Snippets />
    </Page>
  );
}

interface ActionsProps {
  webhook: Webhook;
  onSecret: (secret: string) => void;
  onTested: (result: TestResult) => void;
}

function Actions({ webhook: { id, name, url, active }, onSecret, onTested }: ActionsProps) {
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
    const response = await setWebhookActive(id, !active);
    queries.setQueryData(['webhook', id], response);
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

function RevokeEarlier({ id, onSecret }: { id: string; onSecret: (secret: string) => void }) {
  async function revoke(): Promise<string> {
    const { data } = await postSecret(id, true);
    onSecret(data.secret);
    return 'Earlier secrets no longer sign.';
  }
  return (
    <div class="row">
      <span class="hint">
        The secret before also signs for 24 hours, so that you can replace it without a gap.
      </span>
      <ActionButton act={revoke}>Make another and revoke all others</ActionButton>
    </div>
  );
}
