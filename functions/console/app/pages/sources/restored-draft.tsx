import { Time } from '../../components/time.tsx';
import type { Draft } from '../../drafts/draft-store.ts';

interface RestoredDraftProps {
  draft: Draft;
  /** Whether the stored code was changed after the draft was begun. */
  isOutdated: boolean;
  onDiscard: () => void;
}

/** Says that unsaved code was restored. */
export const RestoredDraft = ({ draft, isOutdated, onDiscard }: RestoredDraftProps) => (
  <div class="advice row spread" role="status">
    <p>
      Changes that were not saved are restored; the last is of <Time ms={draft.at} />.
      {isOutdated && ' The stored code was changed since then: a save replaces that change.'}
    </p>
    <button type="button" onClick={onDiscard}>
      Discard changes
    </button>
  </div>
);
