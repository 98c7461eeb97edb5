import type { ComponentChildren } from 'preact';
import { Time } from '../components/time.tsx';
import { type ChartRange, RANGES } from './chart-range.ts';
import type { Mark } from './marks.ts';

interface ChartsSectionProps {
  range: ChartRange;
  onRange: (range: ChartRange) => void;
  marks: readonly Mark[];
  children: ComponentChildren;
}

/** The charts of a source or webhook. */
export const ChartsSection = ({ range, onRange, marks, children }: ChartsSectionProps) => (
  <div class="stack">
    <div class="charts-head">
      <div class="actions" role="group" aria-label="Range">
        {RANGES.map((each) => (
          <button
            key={each.value}
            type="button"
            class="short"
            aria-pressed={each.value === range.value}
            onClick={() => onRange(each)}
          >
            {each.text}
          </button>
        ))}
      </div>
      {marks.map(({ ms, text }) => (
        <span key={text} class="hint">
          {text} <Time ms={ms} />
        </span>
      ))}
    </div>
    {children}
  </div>
);
