import { useState } from 'preact/hooks';
import { CopyButton } from '../components/buttons/copy-button.tsx';
import { indentJson } from './indent-json.ts';
import { hasFolds, JsonTree } from './json-tree.tsx';

/** A browser lays out an unfolded tree of this many characters without a pause that a person notices. */
const MAX_UNFOLDED_CHARACTERS = 100_000;

/** JSON data as it was sent, as a tree in colours. */
export function JsonView({ json, label }: { json: string; label: string }) {
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <figure class="copied json" aria-label={label}>
      <JsonTree json={json} isUnfolded={isUnfolded} />
      <div class="json-buttons">
        {hasFolds(json) && json.length <= MAX_UNFOLDED_CHARACTERS && (
          <button type="button" class="quiet" aria-pressed={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            Unfold all
          </button>
        )}
        <CopyButton text={indentJson(json)} label={`Copy ${label.toLowerCase()}`} />
      </div>
    </figure>
  );
}
