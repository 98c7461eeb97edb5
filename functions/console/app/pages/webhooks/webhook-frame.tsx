import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { getWebhook, postSecret } from '../../api/webhook-api.ts';
import { webhookName } from '../../api/webhook-name.ts';
import type { TestResult, Webhook } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Page } from '../../components/page.tsx';
import { useLive } from '../../hooks/use-live.ts';
import { TagChips } from '../../tags/tag-chips.tsx';
import { PortalLinkCard } from './portal-link-card.tsx';
import { SecretCard } from './secret-card.tsx';
import { Snippets } from './snippets.tsx';
import { TestOutcome } from './test-outcome.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookHealth } from './webhook-health.tsx';

const TABS = [
  ['', 'Deliveries'],
  ['/metrics', 'Metrics'],
  ['/verify', 'Verify'],
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
    <Page title="Webhook" section="Webhooks">
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  ) : (
    <OneWebhook key={id} webhook={query.data.data}>
      {children(query.data.data)}
    </OneWebhook>
  );
}

function OneWebhook({ webhook, children }: { webhook: Webhook; children: ComponentChildren }) {
  const { id, tags } = webhook;
  const name = webhookName(webhook);
  const { path } = useLocation();
  const [secret, setSecret] = useState<string>();
  const [result, setResult] = useState<TestResult>();
  const [link, setLink] = useState<string>();
  return (
    <Page
      title={name}
      section="Webhooks"
      mark={<WebhookHealth webhook={webhook} />}
      about={
        <>
          <IdLine name="id">{id}</IdLine>
          <TagChips tags={tags} list="webhooks" />
        </>
      }
      actions={<WebhookActions webhook={webhook} onSecret={setSecret} onTested={setResult} onLink={setLink} />}
    >
      <PageTabs label="Webhook" base={`/console/webhooks/${id}`} tabs={TABS} />
      {secret !== undefined && (
        <SecretCard secret={secret}>
          <RevokeEarlier id={id} onSecret={setSecret} />
        </SecretCard>
      )}
      {secret !== undefined && !path.endsWith('/verify') && <Snippets />}
      {link !== undefined && <PortalLinkCard url={link} />}
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
