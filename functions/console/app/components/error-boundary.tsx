import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { lastRequestId } from '../api/request.ts';
import { ApiError } from '../api/refused-request.ts';
import { crashText } from '../crash-text.ts';
import { Page } from './page.tsx';
import { Refusal } from './refusal.tsx';

/**
 * A sentence and the request id in the place of content that failed. A new address needs a new boundary: give it a
 * `key`.
 */
export function ErrorBoundary({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary();
  if (error == null) return <>{children}</>;
  const requestId = (error instanceof ApiError ? error.requestId : undefined) ?? lastRequestId();
  return (
    <Page title="Not shown">
      <Refusal>
        <p>{crashText(requestId)}</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Refusal>
    </Page>
  );
}
