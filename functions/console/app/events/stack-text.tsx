import { POSITION } from '../editor/code-positions.ts';

/** A stack; its positions in the component's own files open the code. */
export function StackText({ sourceId, stack }: { sourceId: string; stack: string }) {
  return (
    <pre class="trace" tabIndex={0}>
      {stack
        .split('\n')
        .map((line, n, lines) =>
          isOfFrame(line, lines[n + 1]) ? (
            <span key={n} class="code-frame">{`${line}\n`}</span>
          ) : (
            <StackLine key={n} sourceId={sourceId} line={line} />
          ),
        )}
    </pre>
  );
}

const isMark = (line: string | undefined): boolean => line !== undefined && /^ *\^+ *$/.test(line);
/** A line of code with a mark below it, or the mark. */
const isOfFrame = (line: string, next: string | undefined): boolean => isMark(line) || isMark(next);

function StackLine({ sourceId, line }: { sourceId: string; line: string }) {
  const [found] = line.matchAll(POSITION);
  const [position = '', file = '', row = ''] = found ?? [];
  if (!found || file.includes('node_modules') || /node:/.test(line)) return <>{`${line}\n`}</>;
  const query = new URLSearchParams({ file, line: row });
  return (
    <>
      {line.slice(0, found.index)}
      <a href={`/console/sources/${sourceId}/code?${query.toString()}`}>{position}</a>
      {`${line.slice(found.index + position.length)}\n`}
    </>
  );
}
