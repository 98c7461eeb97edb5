import { useId, useState } from 'preact/hooks';

interface SecretFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
}

/** A box for a value that is not to be seen. */
export function SecretField({ label, value, onChange, placeholder }: SecretFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState('');
  return (
    <div class="field">
      <label class="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="password"
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? undefined : `${id}-problem`}
        onInput={({ currentTarget }) => {
          setProblem('');
          onChange(currentTarget.value);
        }}
        onPaste={(event) => {
          // The browser would drop the line breaks, and with them the key would be wrong.
          const lines = (event.clipboardData?.getData('text') ?? '').trim().split('\n');
          if (lines.length === 1) return;
          event.preventDefault();
          setProblem(
            `This box takes one line. A value of several lines is set by: tributary accounts … --field ${label}=@FILE`,
          );
        }}
      />
      {problem !== '' && (
        <span class="field-problem" role="alert" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </div>
  );
}
