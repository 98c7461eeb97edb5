import { useQueryClient } from '@tanstack/preact-query';
import { sentenceOf } from '../../api/refused-request.ts';
import { putSource } from '../../api/source-api.ts';
import type { SourceItem } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';

interface SwitchSourcesProps {
  sources: readonly SourceItem[];
  isOn: boolean;
  onDone: (ids: readonly string[]) => void;
}

/** Enables or disables several sources, one after the other: each one runs its hooks. */
export function SwitchSources({ sources, isOn, onDone }: SwitchSourcesProps) {
  const queries = useQueryClient();
  const word = isOn ? 'enabled' : 'disabled';
  async function switchAll(): Promise<string> {
    const refusals: string[] = [];
    for (const { id, name } of sources)
      await putSource(id, { active: isOn }).catch((error: unknown) => refusals.push(`${name}: ${sentenceOf(error)}`));
    await queries.invalidateQueries({ queryKey: ['sources'] });
    if (refusals.length > 0)
      throw new Error(`${sources.length - refusals.length} of ${sources.length} are ${word}. ${refusals[0] ?? ''}`);
    onDone(sources.map(({ id }) => id));
    return `${sources.length} ${sources.length === 1 ? 'source is' : 'sources are'} ${word}.`;
  }
  return (
    <ActionButton act={switchAll}>
      {isOn ? 'Enable' : 'Disable'} {sources.length} chosen
    </ActionButton>
  );
}
