import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';

export const NotFoundPage = () => (
  <Page title="Not found">
    <EmptyState title="There is no page at this address.">
      <p>
        Go to the <a href="/console">Overview</a>.
      </p>
    </EmptyState>
  </Page>
);
