import type { Delivery, TestResult } from '../api/wire.ts';
import { latencyText } from '../charts/latency-scale.ts';
import { Badge, type Tone } from '../components/badge.tsx';

type Outcome = Pick<TestResult, 'outcome' | 'status' | 'ms'>;

const WORDS: Readonly<Record<TestResult['outcome'], readonly [Tone, string]>> = {
  delivered: ['ok', 'delivered'],
  rejected: ['bad', 'rejected'],
  timed_out: ['bad', 'timed out'],
  unreachable: ['bad', 'unreachable'],
  blocked: ['bad', 'blocked'],
};

export const OUTCOMES = Object.keys(WORDS);

/** The outcome of an attempt: `rejected 500 · 12 ms`, `timed out 30 s`. */
export function AttemptOutcome({ attempt: { outcome, status, ms } }: { attempt: Outcome }) {
  const [tone, word] = WORDS[outcome];
  return (
    <span class="outcome">
      <Badge tone={tone}>{word}</Badge>
      <span class="muted">
        {status !== null && `${status} · `}
        {latencyText(ms)}
      </span>
    </span>
  );
}

/** The result of an attempt that a person asked for: `It failed again: rejected 500.` */
export function sentenceOfTry({ status, last_attempt: last }: Pick<Delivery, 'status' | 'last_attempt'>): string {
  if (status === 'delivered' || last === null) return 'It works: what waits is sent now.';
  return `It failed again: ${[WORDS[last.outcome][1], last.status].filter((part) => part !== null).join(' ')}.`;
}

/** One sentence for a screen reader: `The test was rejected: status 500 after 12 ms.` */
export function sentenceOfTest({ outcome, status, ms, reason }: TestResult): string {
  if (reason !== null) return `The test failed: ${reason}`;
  return `The test was ${WORDS[outcome][1]}: status ${status ?? 'unknown'} after ${ms} ms.`;
}
