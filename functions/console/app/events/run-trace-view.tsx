import { Badge } from '../components/badge.tsx';
import { IdLine } from '../components/id-line.tsx';
import { Time } from '../components/time.tsx';
import type { RunError, RunTrace } from './trace-of-run.ts';
import { StackText } from './stack-text.tsx';

interface RunTraceViewProps {
  sourceId: string;
  trace: RunTrace;
  /** The address of the page of the run. */
  href?: string | undefined;
}

/** The logs and errors of one run. */
export const RunTraceView = ({ sourceId, trace, href }: RunTraceViewProps) => (
  <article class="run" aria-label={`Run ${trace.runId}`}>
    <header>
      <div class="run-title">
        <Time ms={trace.ms} />
        {trace.errors.length > 0 && <Badge tone="bad">failed</Badge>}
        {href !== undefined && <a href={href}>Run</a>}
      </div>
      <IdLine name="run id">{trace.runId}</IdLine>
    </header>
    {trace.lines.length > 0 && (
      <pre class="trace" tabIndex={0}>
        {trace.lines.map(({ kind, text }, n) => (
          <span key={n} class={`log ${kind}`}>
            {`${text}\n`}
          </span>
        ))}
      </pre>
    )}
    {trace.errors.map((error, n) => (
      <div key={n} class="run-error">
        <strong>{headingOf(error)}</strong>
        {error.stack !== '' && <StackText sourceId={sourceId} stack={error.stack} />}
      </div>
    ))}
  </article>
);

/** Code and message of an error, without what its stack says too. */
const headingOf = ({ code, message, stack }: RunError): string =>
  [code, message].filter((part) => part !== '' && !stack.includes(part)).join(': ');
