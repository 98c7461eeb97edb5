import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { LocationProvider } from 'preact-iso/router';
import { RightsProvider } from './api/rights.tsx';
import { isTransient } from './api/refused-request.ts';
import { markStale } from './hooks/mark-stale.ts';
import { onWrite } from './api/request.ts';
import { ConnectProvider } from './accounts/connect-provider.tsx';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { Layout } from './layout.tsx';
import { NoticesProvider } from './components/notices.tsx';
import { Routes } from './routes.tsx';
import { SessionGate } from './session/session-gate.tsx';

const MAX_RETRIES = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: (failures, error) => failures < MAX_RETRIES && isTransient(error) },
  },
});

onWrite(() => markStale(queries));

export const App = () => (
  <QueryClientProvider client={queries}>
    <ErrorBoundary>
      <NoticesProvider>
        <SessionGate>
          <RightsProvider>
            <LocationProvider scope="/console">
              <Layout>
                <ConnectProvider>
                  <Routes />
                </ConnectProvider>
              </Layout>
            </LocationProvider>
          </RightsProvider>
        </SessionGate>
      </NoticesProvider>
    </ErrorBoundary>
  </QueryClientProvider>
);
