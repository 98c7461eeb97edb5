import type { ComponentChildren } from 'preact';
import type { Run, ShownWholeEvent } from '../../api/wire.ts';
import { Time } from '../../components/time.tsx';

type Progress = 'done' | 'current' | 'open' | 'bad';

interface StepProps {
  name: string;
  progress: Progress;
  children: ComponentChildren;
}

const Step = ({ name, progress, children }: StepProps) => (
  <li class={`run-step ${progress}`} aria-current={progress === 'current' ? 'step' : undefined}>
    <span class="run-step-name">{name}</span>
    <span class="run-step-text">{children}</span>
  </li>
);

/** The way of a run and of its events, one step after the other. */
export function RunSteps({ run, events }: { run: Run; events: readonly ShownWholeEvent[] }) {
  const { state, started_at_ms: start, ended_at_ms: end, received_at_ms: received } = run;
  const hasEnded = end !== null;
  const deliveries = events.flatMap((event) => event.deliveries);
  const delivered = deliveries.filter(({ status }) => status === 'delivered').length;
  const isBad = state === 'failed' || state === 'skipped';
  return (
    <ol class="plain run-steps" aria-label="Progress">
      <Step name="Queued" progress={state === 'waiting' ? 'current' : 'done'}>
        <Time ms={received} />
        {start !== null && ` · waited ${start - received} ms`}
      </Step>
      <Step name="Running" progress={runProgress(run)}>
        {start === null ? (
          hasEnded ? (
            'did not start'
          ) : (
            '–'
          )
        ) : (
          <>
            <Time ms={start} />
            {hasEnded && ` · ${end - start} ms`}
          </>
        )}
      </Step>
      <Step name="Emitted" progress={!hasEnded ? 'open' : isBad && run.emitted === 0 ? 'bad' : 'done'}>
        {hasEnded ? eventCount(run.emitted) : '–'}
      </Step>
      <Step name="Delivered" progress={deliveryProgress(run, deliveries.length, delivered)}>
        {deliveries.length === 0
          ? hasEnded && run.emitted > 0
            ? 'no delivery to a webhook yet'
            : '–'
          : `${delivered} of ${deliveries.length} delivered`}
      </Step>
    </ol>
  );
}

const eventCount = (count: number): string => (count === 1 ? '1 event' : `${count} events`);

function runProgress({ state }: Run): Progress {
  if (state === 'waiting') return 'open';
  if (state === 'running') return 'current';
  return state === 'done' ? 'done' : 'bad';
}

function deliveryProgress({ ended_at_ms: end }: Run, all: number, delivered: number): Progress {
  if (end === null || all === 0) return 'open';
  return delivered === all ? 'done' : 'current';
}
