import type { Choice, ChoiceGroup } from './found-choices.ts';
import { useShownOption } from './use-active-option.ts';

interface OptionsProps<Each extends Choice> {
  id: string;
  label: string;
  groups: readonly ChoiceGroup<Each>[];
  index: number;
  /** The id of the choice that was made before. */
  value: string;
  onPoint: (index: number) => void;
  onChoose: (choice: Each) => void;
}

/** The listbox of a text box that keeps the focus. The n-th option has the id `<id>-<n>`, the list `<id>-list`. */
export function Options<Each extends Choice>({
  id,
  label,
  groups,
  index,
  value,
  onPoint,
  onChoose,
}: OptionsProps<Each>) {
  let position = 0;
  return (
    <ul class="plain" role="listbox" id={`${id}-list`} aria-label={label}>
      {groups.map(([name, choices]) => (
        <li key={name} role="presentation">
          <ul class="plain" role="group" aria-label={name}>
            <li class="option-group" role="presentation">
              {name}
            </li>
            {choices.map((choice) => {
              const own = position;
              position += 1;
              return (
                <Option
                  key={choice.id}
                  id={`${id}-${own}`}
                  choice={choice}
                  isActive={own === index}
                  isChosen={choice.id === value}
                  onPoint={() => onPoint(own)}
                  onChoose={() => onChoose(choice)}
                />
              );
            })}
          </ul>
        </li>
      ))}
    </ul>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  isActive: boolean;
  isChosen: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, choice: { name, about, health }, isActive, isChosen, onPoint, onChoose }: OptionProps) {
  const option = useShownOption(isActive);
  return (
    // The keyboard chooses in the text box.
    <li
      ref={option}
      id={id}
      role="option"
      class={isActive ? 'option active' : 'option'}
      aria-selected={isChosen}
      onMouseMove={onPoint}
      onClick={onChoose}
    >
      <span class="option-name">
        {health && <span class={`dot ${health[0]}`} role="img" aria-label={health[1]} title={health[1]} />}
        {name}
      </span>
      {about !== undefined && <span class="option-about">{about}</span>}
    </li>
  );
}
