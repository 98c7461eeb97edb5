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

/** The logs and errors of one run, as lines: `9:42:02 order 996`. */
export const RunTraceView = ({ sourceId, trace, href }: RunTraceViewProps) => (
  <article class="run" aria-label={`Run ${trace.runId}`}>
    {href === undefined ? (
      <Time ms={trace.ms} />
    ) : (
      <a href={href}>
        <span class="hidden-text">Run at </span>
        <Time ms={trace.ms} />
      </a>
    )}
    <div class="run-lines">
      {trace.lines.length > 0 && <LogLines lines={trace.lines} />}
      {trace.errors.map((error, n) => (
        <div key={n} class="run-error">
          <span>
            <Badge tone="bad">failed</Badge> <strong>{headingOf(error)}</strong>
          </span>
          {error.stack !== '' && <StackText sourceId={sourceId} stack={error.stack} />}
        </div>
      ))}
    </div>
    {href !== undefined && (
      <span class="run-id">
        <IdLine name="run id">{trace.runId}</IdLine>
      </span>
    )}
  </article>
);

/** More lines, or one of many characters, scroll in a box of their own. */
const MAX_LINES = 12;
const MAX_CHARACTERS = 1_000;

function LogLines({ lines }: Pick<RunTrace, 'lines'>) {
  const isLong = lines.length > MAX_LINES || lines.some(({ text }) => text.length > MAX_CHARACTERS);
  return (
    <pre class={isLong ? 'log-lines long' : 'log-lines'} tabIndex={isLong ? 0 : undefined}>
      {lines.map(({ kind, text }, n) => (
        <span key={n} class={`log ${kind}`}>
          {`${text}\n`}
        </span>
      ))}
    </pre>
  );
}

/** Code and message of an error, without what its stack says too. */
const headingOf = ({ code, message, stack }: RunError): string =>
  [code, message].filter((part) => part !== '' && !stack.includes(part)).join(': ');
