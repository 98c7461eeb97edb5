import { Fragment } from 'preact';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { nextTicks } from '../../../../shared/domain/component/timer-ticks.ts';
import { Combobox } from '../choosing/combobox.tsx';
import { Time } from '../components/time.tsx';
import { FieldFrame } from './field-frame.tsx';
import type { FieldProps } from './field-props.ts';
import { choiceOfTimer, SCHEDULES, type TimerChoice, timerOfChoice } from './timer-choice.ts';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => ({ id: name, name }));

interface Box {
  label: string;
  type: string;
  textOf: (choice: TimerChoice) => string;
  changeOf: (text: string) => Partial<TimerChoice>;
}

/** The box of a schedule that needs a text. */
const BOXES: Readonly<Partial<Record<TimerChoice['kind'], Box>>> = {
  daily: { label: 'Time', type: 'time', textOf: ({ time }) => time, changeOf: (time) => ({ time }) },
  interval: { label: 'Seconds', type: 'text', textOf: ({ seconds }) => seconds, changeOf: (seconds) => ({ seconds }) },
  cron: { label: 'Cron', type: 'text', textOf: ({ cron }) => cron, changeOf: (cron) => ({ cron }) },
};

/** A timer: a preset, or an interval or cron of one's own, with its next times. */
export function TimerField({ field, value, isStored, problem, onState }: FieldProps) {
  const id = useId();
  const [choice, setChoice] = useState(() => choiceOfTimer(value));
  const state = timerOfChoice(choice);
  // The value may change from outside: after a save, it is the stored one.
  useLayoutEffect(() => {
    const stored = timerOfChoice(choiceOfTimer(value));
    const isOwn = 'problem' in state || JSON.stringify(state) === JSON.stringify(stored);
    if (!isOwn) setChoice(choiceOfTimer(value));
  }, [value]);
  const change = (changed: Partial<TimerChoice>): void => {
    const next = { ...choice, ...changed };
    setChoice(next);
    onState(timerOfChoice(next));
  };
  const { kind } = choice;
  const box = BOXES[kind];
  return (
    <FieldFrame
      id={id}
      field={field}
      problem={problem}
      hint={problem === undefined && <Next choice={choice} isStored={isStored} />}
    >
      <div class="timer-boxes">
        <select
          id={id}
          class="timer-kind"
          value={kind}
          disabled={field.isDisabled}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => {
            const [chosen] = SCHEDULES.find(([each]) => each === currentTarget.value) ?? [];
            if (chosen !== undefined) change({ kind: chosen });
          }}
        >
          {SCHEDULES.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
        {box && (
          <label class="field" key={kind}>
            <span class="label">{box.label}</span>
            <input
              class={kind === 'cron' ? 'mono' : undefined}
              type={box.type}
              value={box.textOf(choice)}
              disabled={field.isDisabled}
              spellcheck={false}
              autocomplete="off"
              aria-invalid={problem !== undefined}
              aria-describedby={`${id}-hint`}
              onInput={({ currentTarget }) => change(box.changeOf(currentTarget.value))}
            />
          </label>
        )}
        {box && kind !== 'interval' && (
          <Combobox
            label="Time zone"
            value={choice.zone}
            groups={[['Time zones', ZONES]]}
            placeholder="UTC"
            isDisabled={field.isDisabled}
            onChange={(zone) => change({ zone })}
          />
        )}
      </div>
    </FieldFrame>
  );
}

const SHOWN_TICKS = 3;

/** The next times of a choice if it were saved now, or what is wrong with it. */
function Next({ choice, isStored }: { choice: TimerChoice; isStored: boolean }) {
  const state = timerOfChoice(choice);
  if ('problem' in state) return <>{state.problem}</>;
  const { value } = state;
  // The interval began when it was saved: the head of the page has its next run.
  if (isStored && !('cron' in value)) return null;
  const now = Date.now();
  const ticks = nextTicks('cron' in value ? value : { intervalSeconds: value.interval_seconds }, {
    anchor: now,
    after: now,
    count: SHOWN_TICKS,
  });
  return (
    <>
      Next:{' '}
      {ticks.map((ms, n) => (
        <Fragment key={ms}>
          {n > 0 && ' · '}
          <span class="nowrap">
            <Time ms={ms} />
          </span>
        </Fragment>
      ))}
    </>
  );
}
