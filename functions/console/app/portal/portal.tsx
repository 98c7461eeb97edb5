import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/preact-query';
import { useLayoutEffect, useState } from 'preact/hooks';
import { session } from '../api/key-session.ts';
import { isTransient } from '../api/refused-request.ts';
import { getWebhook } from '../api/webhook-api.ts';
import { webhookName } from '../api/webhook-name.ts';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Loaded } from '../components/loaded.tsx';
import { NoticesProvider } from '../components/notices.tsx';
import { useLive } from '../hooks/use-live.ts';
import { WebhookHealth } from '../pages/webhooks/webhook-health.tsx';
import { paint, type PortalLink, portalLinkOf, takePortalLink } from './opened-link.ts';
import { PortalDeliveries } from './portal-deliveries.tsx';
import { PortalWebhook } from './portal-webhook.tsx';

const MAX_RETRIES = 2;
const queries = new QueryClient({
  defaultOptions: { queries: { retry: (failures, error) => failures < MAX_RETRIES && isTransient(error) } },
});

/** The page of a portal link: one webhook, for a customer of its user. */
export function Portal() {
  const [token, setToken] = useState(() => takePortalLink() ?? session.key);
  useLayoutEffect(
    () =>
      session.subscribe(() => {
        // Another token has to be checked before anything is shown.
        queries.clear();
        setToken(session.key);
      }),
    [],
  );
  useLayoutEffect(() => {
    addEventListener('hashchange', takePortalLink);
    return () => removeEventListener('hashchange', takePortalLink);
  }, []);
  const link = token === undefined ? undefined : portalLinkOf(token);
  return (
    <QueryClientProvider client={queries}>
      <ErrorBoundary>
        <NoticesProvider>{link ? <Page key={token} link={link} /> : <Ended />}</NoticesProvider>
      </ErrorBoundary>
    </QueryClientProvider>
  );
}

const Ended = () => (
  <main class="sign-in">
    <div class="card stack">
      <h1>This link has ended</h1>
      <p>A link works for an hour. Ask the one who sent it for a new one.</p>
    </div>
  </main>
);

function Page({ link: { webhookId, name, color } }: { link: PortalLink }) {
  const { interval } = useLive();
  const query = useQuery({
    queryKey: ['webhook', webhookId],
    queryFn: () => getWebhook(webhookId),
    refetchInterval: interval,
  });
  // The service has checked the token with its first response.
  const isGenuine = query.data !== undefined;
  useLayoutEffect(() => {
    document.title = (isGenuine && name) || 'Webhook';
    paint(isGenuine ? color : undefined);
  }, [isGenuine, name, color]);
  return (
    <div class="portal">
      {isGenuine && name !== '' && <header class="portal-header">{name}</header>}
      <main id="main" tabIndex={-1}>
        <Loaded query={query}>
          {({ data: webhook }) => (
            <>
              <header class="page-header">
                <div class="row">
                  <h1>{webhookName(webhook)}</h1>
                  <WebhookHealth webhook={webhook} />
                </div>
              </header>
              <PortalWebhook webhook={webhook} />
              <PortalDeliveries webhook={webhook} />
            </>
          )}
        </Loaded>
      </main>
    </div>
  );
}
