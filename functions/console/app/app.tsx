import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { LocationProvider } from 'preact-iso/router';
import { isTransient } from './api/refused-request.ts';
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

export const App = () => (
  <QueryClientProvider client={queries}>
    <ErrorBoundary>
      <NoticesProvider>
        <SessionGate>
          <LocationProvider scope="/console">
            <Layout>
              <ConnectProvider>
                <Routes />
              </ConnectProvider>
            </Layout>
          </LocationProvider>
        </SessionGate>
      </NoticesProvider>
    </ErrorBoundary>
  </QueryClientProvider>
);
