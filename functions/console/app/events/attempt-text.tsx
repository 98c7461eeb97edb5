import type { TestResult } from '../api/wire.ts';
import { Badge, type Tone } from '../components/badge.tsx';

type Outcome = Pick<TestResult, 'outcome' | 'status' | 'ms'>;

const WORDS: Readonly<Record<TestResult['outcome'], readonly [Tone, string]>> = {
  delivered: ['ok', 'delivered'],
  rejected: ['bad', 'rejected'],
  timed_out: ['bad', 'timed out'],
  unreachable: ['bad', 'unreachable'],
  blocked: ['bad', 'blocked'],
};

export const OUTCOMES = [
  'delivered',
  'rejected',
  'timed_out',
  'unreachable',
  'blocked',
] as const satisfies readonly TestResult['outcome'][];

/** The outcome of an attempt: `rejected 500 · 12 ms`. */
export function AttemptOutcome({ attempt: { outcome, status, ms } }: { attempt: Outcome }) {
  const [tone, word] = WORDS[outcome];
  return (
    <span class="outcome">
      <Badge tone={tone}>{word}</Badge>
      <span class="muted">
        {status !== null && `${status} · `}
        {ms} ms
      </span>
    </span>
  );
}

/** One sentence for a screen reader: `The test was rejected: status 500 after 12 ms.` */
export function sentenceOfTest({ outcome, status, ms, reason }: TestResult): string {
  if (reason !== null) return `The test failed: ${reason}`;
  return `The test was ${WORDS[outcome][1]}: status ${status ?? 'unknown'} after ${ms} ms.`;
}
