import { Question } from '../../../components/question.tsx';
import { RestoredDraft } from '../restored-draft.tsx';
import { UnsavedGuard } from '../../../components/unsaved-guard.tsx';
import { Gallery } from '../../../gallery/gallery.tsx';
import { ComponentInput } from './component-input.tsx';
import { StartFrom } from './start-from.tsx';
import type { NewComponent } from './use-new-component.ts';

/** The component of a new source: where it starts, its draft, its code, and what the build says. */
export const ComponentSections = ({
  component: { code, isUnsaved, gallery, replacement, input, error, isBuilding, picked, chooseAnother },
}: {
  component: NewComponent;
}) => (
  <>
    <UnsavedGuard isUnsaved={isUnsaved} isKept={code.isKept} />
    {code.draft && isUnsaved && <RestoredDraft draft={code.draft} isOutdated={false} onDiscard={code.discard} />}
    <Starts {...gallery} />
    <ReplaceQuestion {...replacement} />
    {chooseAnother ? (
      <section class="card actions" aria-label="Component">
        <span>
          Component{' '}
          <a href={`/console/components/${encodeURIComponent(input.text)}`}>{picked?.component.name ?? input.text}</a>{' '}
          {picked?.component.version}
        </span>
        <button type="button" onClick={chooseAnother}>
          Use other code
        </button>
      </section>
    ) : (
      <ComponentInput {...input} error={error} />
    )}
    {isBuilding && <p class="hint">Building the component…</p>}
    {picked?.warnings.map((warning) => (
      <p key={warning} class="advice">
        {warning}
      </p>
    ))}
  </>
);

const Starts = ({ isGalleryOpen, setGalleryOpen, pickItem, chosen, begin }: NewComponent['gallery']) => (
  <section class="card stack" aria-label="Start">
    <div class="short-field">
      <StartFrom chosen={chosen} onPick={begin} />
    </div>
    <details open={isGalleryOpen} onToggle={({ currentTarget }) => setGalleryOpen(currentTarget.open)}>
      <summary>Examples and published components</summary>
      {isGalleryOpen && <Gallery onPick={pickItem} />}
    </details>
  </section>
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
