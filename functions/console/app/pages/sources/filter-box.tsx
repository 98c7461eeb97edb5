import type { RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { compilePattern } from '../../../../../shared/domain/event/event-pattern/compile-pattern.ts';
import { OperatorsLink } from '../../components/help/guide-link.tsx';
import { filterProblem } from '../../events/filter-problem.ts';
import { useTypedText } from '../../hooks/use-typed-text.ts';

/** Time without a key after which a filter takes effect. */
const PAUSE_MS = 300;

/** Why a text is no event pattern; undefined for one, and for no text. */
function patternProblem(text: string): string | undefined {
  const problem = filterProblem(text);
  if (problem !== undefined || text === '') return problem;
  const compiled = compilePattern(JSON.parse(text), 'filter');
  const [first] = compiled.ok ? [] : compiled.details;
  return first && `${first.path} ${first.message}.`;
}

interface FilterBoxProps {
  box: RefObject<HTMLInputElement>;
  value: string;
  onChange: (value: string) => void;
}

/**
 * An event pattern as JSON text. It takes effect a moment after the last key if it is valid. A text that is not
 * complete is refused when its field is left, or at Enter.
 */
export function FilterBox({ box, value, onChange }: FilterBoxProps) {
  const id = useId();
  const [text, setText] = useTypedText(value);
  const [refused, setRefused] = useState<{ text: string; problem: string | undefined }>();
  const problem = refused?.text === text ? refused.problem : undefined;
  const pending = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(pending.current), []);
  const apply = (typed: string, isTyping: boolean): void => {
    clearTimeout(pending.current);
    const found = patternProblem(typed.trim());
    const isIncomplete = filterProblem(typed) !== undefined;
    setRefused({ text: typed, problem: isTyping && isIncomplete ? undefined : found });
    if (found === undefined && typed.trim() !== value) onChange(typed.trim());
  };
  const latest = useRef(apply);
  latest.current = apply;
  const type = (typed: string): void => {
    setText(typed);
    clearTimeout(pending.current);
    pending.current = setTimeout(() => latest.current(typed, true), PAUSE_MS);
  };
  return (
    <form
      class="field filter-box"
      onSubmit={(event) => {
        event.preventDefault();
        apply(text, false);
      }}
    >
      <div class="label">
        <label htmlFor={id}>Filter</label>
        <OperatorsLink />
      </div>
      <input
        id={id}
        ref={box}
        class="mono"
        type="text"
        value={text}
        placeholder='{"name": ["Ada"]}'
        spellcheck={false}
        autocomplete="off"
        aria-invalid={problem !== undefined}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => apply(text, false)}
      />
      {problem !== undefined && (
        <span class="field-problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}
