import type { ComponentChildren } from 'preact';
import type { Run, ShownWholeEvent } from '../../api/wire.ts';
import { Time } from '../../components/time.tsx';
import { deliveryStep, durationText, runProgress, type StepProgress } from './step-progress.ts';

interface StepProps {
  name: string;
  progress: StepProgress;
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
  const isBad = state === 'failed' || state === 'skipped';
  const delivery = deliveryStep(events);
  return (
    <ol class="plain run-steps" aria-label="Progress">
      <Step name="Queued" progress={state === 'waiting' ? 'current' : 'done'}>
        <Time ms={received} />
        {start !== null && (
          <>
            {', '}
            <span class="nowrap">waited {durationText(received, start)}</span>
          </>
        )}
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
            {hasEnded && (
              <>
                {', '}
                <span class="nowrap">{durationText(start, end)}</span>
              </>
            )}
          </>
        )}
      </Step>
      <Step name="Emitted" progress={!hasEnded ? 'open' : isBad && run.emitted === 0 ? 'bad' : 'done'}>
        {hasEnded ? eventCount(run.emitted) : '–'}
      </Step>
      <Step name="Delivered" progress={delivery.progress}>
        {delivery.text}
      </Step>
    </ol>
  );
}

const eventCount = (count: number): string => (count === 1 ? '1 event' : `${count} events`);
