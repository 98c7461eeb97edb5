import { useState } from 'preact/hooks';
import type { DeliveryWithAttempts } from '../../../api/wire.ts';
import { SelectFilter } from '../../../components/select-filter.tsx';
import { lineDiff, responseLines } from './line-diff.ts';

type Attempt = DeliveryWithAttempts['attempt_log'][number];

/** Whether the response of an attempt can be compared. */
const hasResponse = ({ answer: body }: Attempt): boolean => body !== null;

const textOf = ({ status, answer: body }: Attempt): readonly string[] => [
  `HTTP ${status ?? ''}`,
  ...responseLines(body ?? ''),
];

/** Compares the response of an attempt with that of another one. */
export function ResponseDiff({ attempt, all }: { attempt: Attempt; all: readonly Attempt[] }) {
  const [chosen, setChosen] = useState('');
  const others = all.filter((other) => other !== attempt && hasResponse(other));
  if (!hasResponse(attempt) || others.length === 0) return null;
  const other = others.find(({ at_ms: at }) => String(at) === chosen);
  return (
    <div class="stack">
      <SelectFilter
        label="Compare with"
        value={chosen}
        onChange={setChosen}
        all="no other attempt"
        values={others.map(({ attempt: n, at_ms: at, outcome, status }) => [
          String(at),
          `attempt ${n}: ${outcome} ${status ?? ''}`,
        ])}
      />
      {other && <Diff before={other} after={attempt} />}
    </div>
  );
}

function Diff({ before, after }: { before: Attempt; after: Attempt }) {
  const lines = lineDiff(textOf(before), textOf(after));
  if (lines.every(({ kind }) => kind === 'same'))
    return <p class="hint">Both attempts got the same status and body.</p>;
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label={`From attempt ${before.attempt} to ${after.attempt}`}>
      {lines.map(({ kind, text }, n) => {
        if (kind === 'removed') return <del key={n}>- {text}</del>;
        if (kind === 'added') return <ins key={n}>+ {text}</ins>;
        return <span key={n}>{`  ${text}`}</span>;
      })}
    </pre>
  );
}
