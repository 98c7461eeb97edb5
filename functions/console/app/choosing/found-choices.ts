import { matchesText } from './matches-text.ts';

export interface Choice {
  id: string;
  name: string;
  /** Extra text that distinguishes choices with the same name. */
  about?: string;
  /** Its health, as a dot with a word. */
  health?: readonly [tone: 'ok' | 'warn' | 'bad' | 'plain', text: string];
  /** A text that finds it besides its name; its id by default. */
  search?: string;
}

export type ChoiceGroup<Each extends Choice = Choice> = readonly [name: string, choices: readonly Each[]];

/** A longer list is not read; a person types instead. */
export const MAX_SHOWN_CHOICES = 50;

interface FoundChoices<Each extends Choice> {
  groups: readonly ChoiceGroup<Each>[];
  /** Matches that are not among them. */
  hidden: number;
}

/**
 * The choices whose name or id has each word of a text, those whose name is most like it first, without empty groups.
 */
export function foundChoices<Each extends Choice>(
  groups: readonly ChoiceGroup<Each>[],
  text: string,
  /** Choices of one group. */
  longestGroup = MAX_SHOWN_CHOICES,
): FoundChoices<Each> {
  let left = MAX_SHOWN_CHOICES;
  let hidden = 0;
  const found = groups.map(([name, choices]): ChoiceGroup<Each> => {
    const matches = choices
      .filter((choice) => matchesText([choice.name, choice.search ?? choice.id], text))
      .toSorted((a, b) => distance(a, text) - distance(b, text));
    const shown = matches.slice(0, Math.min(left, longestGroup));
    left -= shown.length;
    hidden += matches.length - shown.length;
    return [name, shown];
  });
  return { groups: found.filter(([, choices]) => choices.length > 0), hidden };
}

/** 0 if the name is the text, 1 if it begins with it, 2 if it has it, 3 if only its words are found. */
function distance({ name }: Choice, text: string): number {
  const sought = text.trim().toLowerCase();
  const own = name.toLowerCase();
  if (own === sought) return 0;
  if (own.startsWith(sought)) return 1;
  return own.includes(sought) ? 2 : 3;
}
