import { Question } from '../../../components/question.tsx';
import { RestoredDraft } from '../../../components/restored-draft.tsx';
import { UnsavedGuard } from '../../../components/unsaved-guard.tsx';
import { Gallery } from '../../../gallery/gallery.tsx';
import { ComponentInput } from './component-input.tsx';
import type { NewComponent } from './use-new-component.ts';

/** The component of a new source: examples, its draft, its code, and what the build says. */
export const ComponentSections = ({
  component: { code, isUnsaved, gallery, replacement, input, error, isBuilding, picked },
}: {
  component: NewComponent;
}) => (
  <>
    <UnsavedGuard isUnsaved={isUnsaved} isKept={code.isKept} />
    {code.draft && isUnsaved && <RestoredDraft draft={code.draft} isOutdated={false} onDiscard={code.discard} />}
    <Examples {...gallery} />
    <ReplaceQuestion {...replacement} />
    <ComponentInput {...input} error={error} />
    {isBuilding && <p class="hint">Building the component…</p>}
    {picked?.warnings.map((warning) => (
      <p key={warning} class="advice">
        {warning}
      </p>
    ))}
  </>
);

const Examples = ({ isGalleryOpen, setGalleryOpen, pickItem }: NewComponent['gallery']) => (
  <details class="card" open={isGalleryOpen} onToggle={({ currentTarget }) => setGalleryOpen(currentTarget.open)}>
    <summary>Examples and published components</summary>
    {isGalleryOpen && <Gallery onPick={pickItem} />}
  </details>
);

const ReplaceQuestion = ({ replacing, setReplacing, startWith }: NewComponent['replacement']) => (
  <Question
    isOpen={replacing !== undefined}
    title="Replace your code?"
    yes="Replace"
    no="Keep my code"
    isDangerous
    onYes={() => {
      if (replacing !== undefined) startWith(replacing);
    }}
    onNo={() => setReplacing(undefined)}
  >
    The code that you wrote is lost.
  </Question>
);
