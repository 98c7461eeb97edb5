import type { TestResult } from '../../api/wire.ts';
import { AttemptOutcome } from '../../events/attempt-text.tsx';

/** The response of a webhook to a test. */
export const TestOutcome = ({ result }: { result: TestResult }) => (
  <section class="card stack" aria-label="Test">
    <div class="row">
      <h2>Test</h2>
      <AttemptOutcome attempt={result} />
    </div>
    {result.reason !== null && <p>{result.reason}</p>}
    {result.answer !== null && (
      <pre aria-label="Response to the test">{result.answer === '' ? 'The response has no body.' : result.answer}</pre>
    )}
  </section>
);
