import { useRef, useState } from 'preact/hooks';
import { type Choice, type ChoiceGroup, foundChoices } from './found-choices.ts';
import { useActiveOption } from './use-active-option.ts';

interface ComboboxOptions {
  value: string;
  onChange: (id: string) => void;
  groups: readonly ChoiceGroup[];
}

/** The typed text, the open list and the keys of a combobox. */
export function useCombobox({ value, onChange, groups }: ComboboxOptions) {
  /** The typed text; undefined while nothing was typed. */
  const [text, setText] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const chosen = groups.flatMap(([, choices]) => choices).find((choice) => choice.id === value);
  const found = foundChoices(groups, text ?? '');
  const options = found.groups.flatMap(([, choices]) => choices);
  const { index, setIndex, move } = useActiveOption(options, text ?? '');
  const active = options[index];

  const close = (): void => {
    setOpen(false);
    setText(undefined);
  };
  const choose = (choice: Choice | undefined): void => {
    close();
    if (!choice || choice.id === value) return;
    onChange(choice.id);
    // As a select of the browser tells its form.
    box.current?.dispatchEvent(new Event('change', { bubbles: true }));
  };
  /** The end of typing without a choice: an empty text is none, another one keeps what was chosen. */
  const leave = (): void => {
    if (text === '' && value !== '') onChange('');
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && isOpen) {
      // A dialog around it stays open.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      if (text === '') leave();
      // Options that are still being read leave the text as it is.
      else if (active) choose(active);
    } else if (event.key === 'Tab' && isOpen && text !== undefined && text !== '') choose(active);
    else if (event.key === 'ArrowDown' && !isOpen) {
      event.preventDefault();
      setOpen(true);
    } else if (isOpen) move(event);
  };
  const type = (typed: string): void => {
    setText(typed);
    setOpen(true);
  };
  return {
    box,
    shown: text ?? chosen?.name ?? value,
    found,
    options,
    isOpen,
    open: () => setOpen(true),
    type,
    choose,
    leave,
    onKeyDown,
    active: { option: active, index, setIndex },
  };
}
