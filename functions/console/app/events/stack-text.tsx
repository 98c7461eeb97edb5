import { PLACE } from '../editor/code-places.ts';

/** A stack; its places in the component's own files open the code. */
export function StackText({ sourceId, stack }: { sourceId: string; stack: string }) {
  return (
    <pre class="trace" tabIndex={0}>
      {stack.split('\n').map((line, n) => (
        <StackLine key={n} sourceId={sourceId} line={line} />
      ))}
    </pre>
  );
}

function StackLine({ sourceId, line }: { sourceId: string; line: string }) {
  const [found] = line.matchAll(PLACE);
  const [place = '', file = '', row = ''] = found ?? [];
  if (!found || file.includes('node_modules') || /node:/.test(line)) return <>{`${line}\n`}</>;
  const query = new URLSearchParams({ file, line: row });
  return (
    <>
      {line.slice(0, found.index)}
      <a href={`/console/sources/${sourceId}/code?${query.toString()}`}>{place}</a>
      {`${line.slice(found.index + place.length)}\n`}
    </>
  );
}
