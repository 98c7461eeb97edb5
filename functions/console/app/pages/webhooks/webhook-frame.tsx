import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { getWebhook, postSecret } from '../../api/webhook-api.ts';
import type { TestResult, Webhook } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Page } from '../../components/page.tsx';
import { useLive } from '../../hooks/use-live.ts';
import { SecretCard } from './secret-card.tsx';
import { TestOutcome } from './test-outcome.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookHealth } from './webhook-health.tsx';

const TABS = [
  ['', 'Deliveries'],
  ['/settings', 'Settings'],
] as const;

interface WebhookFrameProps {
  id: string;
  children: (webhook: Webhook) => ComponentChildren;
}

/** The head of the pages of one webhook. */
export function WebhookFrame({ id, children }: WebhookFrameProps) {
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
    <OneWebhook key={id} webhook={query.data.data}>
      {children(query.data.data)}
    </OneWebhook>
  );
}

function OneWebhook({ webhook, children }: { webhook: Webhook; children: ComponentChildren }) {
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
      actions={<WebhookActions webhook={webhook} onSecret={setSecret} onTested={setResult} />}
    >
      <PageTabs label="Webhook" base={`/console/webhooks/${id}`} tabs={TABS} />
      {secret !== undefined && (
        <SecretCard secret={secret}>
          <RevokeEarlier id={id} onSecret={setSecret} />
        </SecretCard>
      )}
      {result !== undefined && <TestOutcome result={result} />}
      {children}
    </Page>
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
      <span class="hint">The secret before also signs for 24 hours, so that you can replace it without a gap.</span>
      <ActionButton act={revoke}>Make another and revoke all others</ActionButton>
    </div>
  );
}
