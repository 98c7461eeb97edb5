import { STARTING_POINTS } from '../../../../../../shared/domain/component/starting-points.ts';
import type { Choice } from '../../../choosing/found-choices.ts';
import { Combobox } from '../../../choosing/combobox.tsx';

const TEMPLATES: readonly Choice[] = Object.entries(STARTING_POINTS).map(([kind, { about }]) => ({
  id: kind,
  name: kind,
  about,
  search: about,
}));

/** Something to begin with: its name, and its code. */
export interface Start {
  choice: Choice;
  code: string;
}

interface StartFromProps {
  /** The template or example that was chosen. */
  chosen: Choice | undefined;
  onPick: (start: Start) => void;
}

/** Fills in the code of a template. */
export const StartFrom = ({ chosen, onPick }: StartFromProps) => (
  <Combobox
    label="Start from"
    value={chosen?.id ?? ''}
    groups={[
      ['Templates', TEMPLATES],
      ['Examples', chosen && !TEMPLATES.some(({ id }) => id === chosen.id) ? [chosen] : []],
    ]}
    placeholder="Choose a template…"
    onChange={(id) => {
      const choice = TEMPLATES.find((template) => template.id === id);
      const [, point] = Object.entries(STARTING_POINTS).find(([kind]) => kind === id) ?? [];
      if (choice && point) onPick({ choice, code: point.code({ key: `my-${id}`, name: `My ${id}` }) });
    }}
  />
);
