import { useId } from 'preact/hooks';
import { Markdown } from '../markdown/markdown.tsx';
import { FieldNotes } from './field-notes.tsx';
import type { FieldProps } from './field-props.ts';

/** A prop that is on or off. */
export function FlagField({ field: { label, description, isDisabled }, value, problem, onState }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="choice">
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          disabled={isDisabled}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => onState({ value: currentTarget.checked })}
        />
        <label class="label" for={id}>
          {label}
        </label>
      </div>
      <FieldNotes id={id} problem={problem}>
        {description !== undefined && <Markdown text={description} />}
      </FieldNotes>
    </div>
  );
}
