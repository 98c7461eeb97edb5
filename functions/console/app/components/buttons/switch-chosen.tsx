import { useQueryClient } from '@tanstack/preact-query';
import { sentenceOf } from '../../api/refused-request.ts';
import { ActionButton } from './action-button.tsx';

interface SwitchChosenProps {
  items: readonly { id: string; name: string }[];
  /** The noun, for one and for several. */
  nouns: readonly [one: string, many: string];
  /** The query key of their list. */
  list: string;
  put: (id: string, body: { active: boolean }) => Promise<unknown>;
  onDone: (ids: readonly string[]) => void;
}

/** The buttons that enable and disable the rows that are ticked. */
export const SwitchChosen = (props: SwitchChosenProps) =>
  props.items.length === 0 ? null : (
    <div class="actions">
      <SwitchButton {...props} isOn />
      <SwitchButton {...props} isOn={false} />
    </div>
  );

/** Switches one after the other: a source runs its hooks. */
function SwitchButton({ items, nouns, list, put, isOn, onDone }: SwitchChosenProps & { isOn: boolean }) {
  const queries = useQueryClient();
  const word = isOn ? 'enabled' : 'disabled';
  async function switchAll(): Promise<string> {
    const refusals: string[] = [];
    for (const { id, name } of items)
      await put(id, { active: isOn }).catch((error: unknown) => refusals.push(`${name}: ${sentenceOf(error)}`));
    await queries.invalidateQueries({ queryKey: [list] });
    if (refusals.length > 0)
      throw new Error(`${items.length - refusals.length} of ${items.length} are ${word}. ${refusals[0] ?? ''}`);
    onDone(items.map(({ id }) => id));
    return items.length === 1 ? `1 ${nouns[0]} is ${word}.` : `${items.length} ${nouns[1]} are ${word}.`;
  }
  return (
    <ActionButton act={switchAll}>
      {isOn ? 'Enable' : 'Disable'} {items.length} chosen
    </ActionButton>
  );
}
