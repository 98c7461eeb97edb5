import type { ComponentChildren } from 'preact';
import { ApiError, sentenceOf } from '../api/refused-request.ts';

/** A refusal beside what was refused. */
export const Refusal = ({ children }: { children: ComponentChildren }) => (
  <div class="refusal" role="alert">
    {children}
  </div>
);

/** The API's sentence about an error, and the lines that belong to it. */
export function ErrorText({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const details = error instanceof ApiError ? error.details : [];
  const code = error instanceof ApiError ? error.code : undefined;
  const frames = code === 'build_failed' ? details : [];
  // The sentence already names a single problem.
  const lines = details.length > 1 || code === 'hook_failed' ? details : [];
  return (
    <Refusal>
      <p>{sentenceOf(error)}</p>
      {frames.map(({ path, message }) => (
        <pre key={path} class="trace" tabIndex={0}>
          {message}
        </pre>
      ))}
      {frames.length === 0 && lines.length > 0 && (
        <ul>
          {lines.map(({ path, message }) => (
            <li key={path + message}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </Refusal>
  );
}
