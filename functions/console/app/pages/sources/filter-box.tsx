import { useState } from 'preact/hooks';
import { filterProblem } from '../../events/filter-problem.ts';
import { useTypedText } from '../../hooks/use-typed-text.ts';

/** An event pattern as JSON text. It takes effect when its field is left, or at Enter. */
export function FilterBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useTypedText(value);
  const [problem, setProblem] = useState<string>();
  const apply = (): void => {
    const trimmed = text.trim();
    const found = filterProblem(trimmed);
    setProblem(found);
    if (found === undefined && trimmed !== value) onChange(trimmed);
  };
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <label class="field">
        <span class="label">Filter</span>
        <input
          class="mono"
          type="text"
          value={text}
          placeholder='{"name": ["Ada"]}'
          spellcheck={false}
          autocomplete="off"
          aria-invalid={problem !== undefined}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onBlur={apply}
        />
      </label>
      {problem !== undefined && (
        <span class="field-problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}
