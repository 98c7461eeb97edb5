import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { FieldFrame } from './field-frame.tsx';
import { isMultiline, textOfValue, valueOfText } from './prop-text.ts';
import type { FieldProps } from './field-props.ts';

const HINTS: Readonly<Record<string, string>> = {
  object: 'A JSON object.',
  any: 'JSON, or a text.',
  http_request: 'A JSON object.',
};

/** A prop that is typed: a text, a number, a list, JSON. */
export function TypedField({ field, value, problem, onState }: FieldProps) {
  const id = useId();
  const [text, setText] = useState(() => textOfValue(field, value));
  // The value may change from outside: after a save, it is the stored one. It must not replace the next typed
  // character.
  useLayoutEffect(() => {
    const parsed = valueOfText(field, text);
    const isOwn = 'problem' in parsed || JSON.stringify(parsed.value) === JSON.stringify(value ?? undefined);
    if (!isOwn) setText(textOfValue(field, value));
  }, [value]);
  const common = {
    id,
    value: text,
    disabled: field.isDisabled,
    spellcheck: false,
    autocomplete: 'off',
    'aria-describedby': `${id}-hint`,
    'aria-invalid': problem !== undefined,
  };
  const input = (next: string): void => {
    setText(next);
    const parsed = valueOfText(field, next);
    onState('problem' in parsed ? { ...parsed, text: next } : parsed);
  };
  const hint = HINTS[field.type] ?? (field.type.endsWith('[]') ? 'One value a line.' : undefined);
  return (
    <FieldFrame id={id} field={field} problem={problem} hint={hint}>
      {isMultiline(field) ? (
        <textarea {...common} class="mono" rows={3} onInput={({ currentTarget }) => input(currentTarget.value)} />
      ) : (
        <input
          {...common}
          class={field.isSecret ? 'masked' : ''}
          type="text"
          inputMode={field.type === 'integer' ? 'numeric' : 'text'}
          onInput={({ currentTarget }) => input(currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}
