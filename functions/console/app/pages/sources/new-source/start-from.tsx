import { STARTING_POINTS } from '../../../../../../shared/domain/component/starting-points.ts';
import type { Choice } from '../../../choosing/found-choices.ts';
import { Combobox } from '../../../choosing/combobox.tsx';

const TEMPLATES: readonly Choice[] = Object.entries(STARTING_POINTS).map(([kind, { about }]) => ({
  id: kind,
  name: kind,
  about,
  search: about,
}));

/** Fills in the code of a template. */
export const StartFrom = ({ onPick }: { onPick: (code: string) => void }) => (
  <Combobox
    label="Start from"
    value=""
    groups={[['Templates', TEMPLATES]]}
    placeholder="Choose a template…"
    onChange={(chosen) => {
      const [kind, point] = Object.entries(STARTING_POINTS).find(([name]) => name === chosen) ?? [];
      if (kind !== undefined && point) onPick(point.code({ key: `my-${kind}`, name: `My ${kind}` }));
    }}
  />
);
