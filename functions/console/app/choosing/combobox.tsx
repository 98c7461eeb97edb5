import { useId } from 'preact/hooks';
import { ComboboxInput, type ComboboxInputProps } from './combobox-input.tsx';

interface ComboboxProps extends Omit<ComboboxInputProps, 'id'> {
  isShort?: boolean;
}

/** A choice among many with its label. */
export function Combobox({ isShort, ...props }: ComboboxProps) {
  const id = useId();
  return (
    <div class={isShort ? 'field short' : 'field'}>
      <label class="label" htmlFor={id}>
        {props.label}
      </label>
      <ComboboxInput {...props} id={id} />
    </div>
  );
}
