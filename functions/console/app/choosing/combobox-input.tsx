import { useRef, useState } from 'preact/hooks';
import { Options } from './options.tsx';
import { useActiveOption } from './use-active-option.ts';
import { countText } from '../locale.ts';
import { type Choice, type ChoiceGroup, foundChoices, MAX_SHOWN_CHOICES } from './found-choices.ts';

export interface ComboboxInputProps {
  id: string;
  /** The accessible name of the list. The text box has a label of its own. */
  label: string;
  /** Empty: none. */
  value: string;
  onChange: (id: string) => void;
  groups: readonly ChoiceGroup[];
  placeholder?: string;
  isDisabled?: boolean;
  /** The id of a description. */
  describedBy?: string;
  isInvalid?: boolean;
}

/** A choice among many, found by typing. Deleting the text chooses none. */
export function ComboboxInput({
  id,
  label,
  value,
  onChange,
  groups,
  placeholder = 'Choose…',
  isDisabled,
  describedBy,
  isInvalid,
}: ComboboxInputProps) {
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

  return (
    <div class="combobox">
      <input
        id={id}
        ref={box}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen && active ? `${id}-list` : undefined}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        disabled={isDisabled}
        aria-activedescendant={isOpen && active ? `${id}-${index}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={text ?? chosen?.name ?? value}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
        }}
        onMouseDown={() => setOpen(true)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
      {isOpen && (
        <div
          class="options"
          // The text box keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
        >
          {options.length === 0 ? (
            <p class="hint" role="status">
              Nothing matches.
            </p>
          ) : (
            <Options
              id={id}
              label={label}
              groups={found.groups}
              index={index}
              value={value}
              onPoint={setIndex}
              onChoose={choose}
            />
          )}
          {found.hidden > 0 && (
            <p class="hint">
              {countText(found.hidden)} more than these {MAX_SHOWN_CHOICES}: type a part of the name or id.
            </p>
          )}
        </div>
      )}
    </div>
  );
}
