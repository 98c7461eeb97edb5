import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  isOptional?: boolean;
  hint?: string;
  /** Why the value was refused. */
  problem?: string | undefined;
  /** After the hint: a link to a page of the guide. */
  more?: ComponentChildren;
  placeholder?: string;
  /** Values that the box offers. Others can be typed. */
  suggestions?: readonly string[];
  /** A box of several lines. */
  isLong?: boolean;
  /** Shows code. */
  isCode?: boolean;
  /** Hides the typed text. */
  isMasked?: boolean;
}

/** A text box with its label and its hint. */
export function TextField({
  label,
  value,
  onChange,
  isOptional,
  hint,
  problem,
  more,
  placeholder,
  suggestions,
  isLong,
  isCode,
  isMasked,
}: TextFieldProps) {
  const id = useId();
  const attributes = {
    id,
    value,
    placeholder,
    class: [isCode && 'mono', isMasked && 'masked'].filter(Boolean).join(' ') || undefined,
    spellcheck: isCode !== true,
    autocomplete: 'off',
    'aria-invalid': problem !== undefined,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  return (
    <div class="field">
      <div class="label">
        <label htmlFor={id}>{label}</label>
        {isOptional && <span class="optional"> optional</span>}
      </div>
      {isLong ? (
        <textarea {...attributes} rows={3} />
      ) : (
        <input {...attributes} type="text" list={suggestions && `${id}-list`} />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint} {more}
        </span>
      )}
      {problem !== undefined && (
        <span class="field-problem" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
