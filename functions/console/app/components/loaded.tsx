import type { ComponentChildren } from 'preact';
import { isTransient } from '../api/refused-request.ts';
import { ErrorText } from './refusal.tsx';

export interface Loading<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  query: Loading<Data>;
  /** Rows of the placeholder. */
  rows?: number;
  children: (data: Data) => ComponentChildren;
}

/** The data of a query, its placeholder or its error. Data that was read before stays while a later request fails. */
export function Loaded<Data>({ query, rows = 3, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error != null && <ErrorText error={error} {...(isTransient(error) ? { onRetry: () => void refetch() } : {})} />}
      {data !== undefined && children(data)}
      {data === undefined && error == null && <Placeholder rows={rows} />}
    </>
  );
}

const Placeholder = ({ rows }: { rows: number }) => (
  <div class="placeholder" aria-busy="true" aria-label="Loading" role="group">
    {Array.from({ length: rows }, (_, n) => (
      <div key={n} />
    ))}
  </div>
);
