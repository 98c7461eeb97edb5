import { Route, Router, useLocation } from 'preact-iso/router';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { useLeaveNotices } from './components/notices.tsx';
import { usePageStart } from './hooks/use-page-start.ts';
import { AccountsPage } from './pages/accounts/accounts-page.tsx';
import { ComponentPage } from './pages/components/component-page.tsx';
import { ComponentsPage } from './pages/components/components-page.tsx';
import { EventsPage } from './pages/events/events-page.tsx';
import { MePage } from './pages/me/me-page.tsx';
import { NoticesPage } from './pages/notices/notices-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { OverviewPage } from './pages/overview/overview-page.tsx';
import { RunPage } from './pages/runs/run-page.tsx';
import { NewSourcePage } from './pages/sources/new-source/new-source-page.tsx';
import { SourceCodePage } from './pages/sources/source-code-page.tsx';
import { SourceEventsPage } from './pages/sources/source-events-page.tsx';
import { SourceListenersPage } from './pages/sources/source-listeners-page.tsx';
import { SourceMetricsPage } from './pages/sources/source-metrics-page.tsx';
import { SourcePropsPage } from './pages/sources/source-props-page.tsx';
import { SourcesPage } from './pages/sources/sources-page.tsx';
import { SubscriptionsPage } from './pages/subscriptions/subscriptions-page.tsx';
import { DeliveryPage } from './pages/webhooks/delivery/delivery-page.tsx';
import { NewWebhookPage } from './pages/webhooks/new-webhook-page.tsx';
import { WebhookMetricsPage } from './pages/webhooks/webhook-metrics-page.tsx';
import { WebhookPage } from './pages/webhooks/webhook-page.tsx';
import { WebhookVerifyPage } from './pages/webhooks/webhook-verify-page.tsx';
import { WebhookSettingsPage } from './pages/webhooks/webhook-settings-page.tsx';
import { WebhooksPage } from './pages/webhooks/webhooks-page.tsx';
import { WorkflowAboutPage } from './pages/workflows/workflow-about-page.tsx';
import { WorkflowEventsPage } from './pages/workflows/workflow-events-page.tsx';
import { WorkflowsPage } from './pages/workflows/workflows-page.tsx';

/** The page of each address. */
export function Routes() {
  const { path } = useLocation();
  usePageStart(path);
  useLeaveNotices(path);
  // The router would throw an error.
  return <ErrorBoundary key={path}>{isDecodable(path) ? <Pages /> : <NotFoundPage />}</ErrorBoundary>;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The first fitting route counts. */
const Pages = () => (
  <Router>
    <Route path="/console" component={OverviewPage} />
    <Route path="/console/sources" component={SourcesPage} />
    <Route path="/console/sources/new" component={NewSourcePage} />
    <Route path="/console/sources/:id" component={SourceEventsPage} />
    <Route path="/console/sources/:id/metrics" component={SourceMetricsPage} />
    <Route path="/console/sources/:id/code" component={SourceCodePage} />
    <Route path="/console/sources/:id/props" component={SourcePropsPage} />
    <Route path="/console/sources/:id/listeners" component={SourceListenersPage} />
    <Route path="/console/sources/:id/runs/:triggerId" component={RunPage} />
    <Route path="/console/events" component={EventsPage} />
    <Route path="/console/webhooks" component={WebhooksPage} />
    <Route path="/console/webhooks/new" component={NewWebhookPage} />
    <Route path="/console/webhooks/:id" component={WebhookPage} />
    <Route path="/console/webhooks/:id/metrics" component={WebhookMetricsPage} />
    <Route path="/console/webhooks/:id/settings" component={WebhookSettingsPage} />
    <Route path="/console/webhooks/:id/verify" component={WebhookVerifyPage} />
    <Route path="/console/webhooks/:id/deliveries/:deliveryId" component={DeliveryPage} />
    <Route path="/console/subscriptions" component={SubscriptionsPage} />
    <Route path="/console/notices" component={NoticesPage} />
    <Route path="/console/components" component={ComponentsPage} />
    <Route path="/console/components/:id" component={ComponentPage} />
    <Route path="/console/workflows" component={WorkflowsPage} />
    <Route path="/console/workflows/:id" component={WorkflowEventsPage} />
    <Route path="/console/workflows/:id/about" component={WorkflowAboutPage} />
    <Route path="/console/accounts" component={AccountsPage} />
    <Route path="/console/me" component={MePage} />
    <Route default component={NotFoundPage} />
  </Router>
);
