import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { SOURCE_TEXTS } from '../../../../../shared/domain/setting-texts.ts';
import { postSource } from '../../api/source-api.ts';
import { useNotices } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { ErrorText } from '../../components/refusal.tsx';
import { SubmitButton } from '../../components/buttons/submit-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Question } from '../../components/question.tsx';
import { UnsavedGuard } from '../../components/unsaved-guard.tsx';
import { NEW_SOURCE } from '../../drafts/drafts.ts';
import { RestoredDraft } from '../../components/restored-draft.tsx';
import { useDraftedEdits } from '../../drafts/use-drafted-edits.ts';
import { Gallery } from '../../gallery/gallery.tsx';
import type { GalleryItem } from '../../gallery/gallery-item.ts';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { useSubmit } from '../../hooks/use-submit.ts';
import { valuesOf } from '../../props/prop-form.ts';
import { PropsForm } from '../../props/props-form.tsx';
import { usePropsForm } from '../../props/use-props-form.ts';
import { createSubscription } from '../../api/subscription-api.ts';
import { AddressChoice } from '../../subscriptions/address-choice.tsx';
import { type Emitter, emitterFor } from '../../subscriptions/app-emitter.ts';
import { ComponentInput } from './component-input.tsx';
import type { Origin } from './component-picker.ts';
import { usePickedComponent } from './use-picked-component.ts';

/** The name that the code of a new source has in its draft. */
const ENTRY = 'component.mjs';

const MISSING: Readonly<Record<Origin, string>> = {
  Code: 'Write the code of the component first.',
  Address: 'Enter the address first.',
  'Registry key': 'Enter the registry key first.',
};

/** `?key=` names a component to begin with. */
export function NewSourcePage() {
  const { route } = useLocation();
  const { say, refuse } = useNotices();
  const [keyOfAddress] = useAddressFilter('key');
  const [origin, setOrigin] = useState<Origin>(keyOfAddress === '' ? 'Code' : 'Registry key');
  /** The code of the starting point that was chosen. */
  const [start, setStart] = useState('');
  const code = useDraftedEdits(NEW_SOURCE, { base: '', stored: new Map([[ENTRY, start]]) });
  /** The starting point that would replace typed code. */
  const [replacing, setReplacing] = useState<string>();
  const [isGalleryOpen, setGalleryOpen] = useState(keyOfAddress === '' && code.edits.size === 0);
  const [address, setAddress] = useState('');
  const [key, setKey] = useState(keyOfAddress);
  const [name, setName] = useState('');
  /** The source to listen to, which has the only address of the component's app. */
  const [listensTo, setListensTo] = useState<Emitter>();
  const { state, problems, goesToProblem, change, check } = usePropsForm();
  const { picked, error, isBuilding, pick, reload } = usePickedComponent();
  const typed: Readonly<Record<Origin, [text: string, change: (text: string) => void]>> = {
    Code: [code.files.get(ENTRY) ?? '', (text) => code.edit(ENTRY, text)],
    Address: [address, setAddress],
    'Registry key': [key, setKey],
  };
  const [text, setText] = typed[origin];
  const isUnsaved = code.edits.size > 0;

  const showProps = (): void => {
    if (text.trim() !== '') void pick(origin, text);
  };
  // An address that names a component shows its props at once.
  useEffect(showProps, []);

  const startWith = (chosen: string): void => {
    setReplacing(undefined);
    setOrigin('Code');
    setStart(chosen);
    code.discard();
    void pick('Code', chosen);
  };
  /** Typed code is not replaced unasked. */
  const begin = (chosen: string): void => {
    if (isUnsaved) setReplacing(chosen);
    else startWith(chosen);
  };
  const pickItem = (item: GalleryItem): void => {
    setGalleryOpen(false);
    if (item.code !== undefined) {
      begin(item.code);
      return;
    }
    setOrigin('Registry key');
    setKey(item.id);
    void pick('Registry key', item.id);
  };

  const submission = useSubmit(async (hasFocus) => {
    if (text.trim() === '') throw new Error(MISSING[origin]);
    const found = await pick(origin, text);
    if (!found || !check(found.fields, { goTo: hasFocus() })) return;
    const { data } = await postSource({
      component_id: found.component.id,
      name: name.trim() || undefined,
      configured_props: valuesOf(found.fields, state),
    });
    const emitter = emitterFor(found.component, listensTo);
    if (emitter !== '')
      await createSubscription({ emitter_id: emitter, listener_id: data.id, filter: undefined }).catch(
        refuse,
      );
    if (origin === 'Code') code.saved(code.files);
    route(`/console/sources/${data.id}`);
    say(`The source ${data.name} runs.`);
  });
  const problem = error ?? submission.error;

  return (
    <Page title="New source" about={<a href="/console/sources">All sources</a>}>
      <form class="stack" noValidate onSubmit={submission.submit}>
        <UnsavedGuard isUnsaved={isUnsaved} isKept={code.isKept} />
        {code.draft && isUnsaved && (
          <RestoredDraft draft={code.draft} isOutdated={false} onDiscard={code.discard} />
        )}
        <details
          class="card"
          open={isGalleryOpen}
          onToggle={({ currentTarget }) => setGalleryOpen(currentTarget.open)}
        >
          <summary>Examples and published components</summary>
          {isGalleryOpen && <Gallery onPick={pickItem} />}
        </details>
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
        <ComponentInput
          origin={origin}
          onOrigin={setOrigin}
          text={text}
          onText={setText}
          onStart={begin}
          onLeave={showProps}
          error={error}
        />
        {isBuilding && <p class="hint">Building the component…</p>}
        {picked?.warnings.map((warning) => (
          <p key={warning} class="advice">
            {warning}
          </p>
        ))}
        {picked && picked.fields.length > 0 && (
          <section class="card stack" aria-label="Props">
            <h2>Props</h2>
            <PropsForm
              key={picked.component.id}
              componentId={picked.component.id}
              fields={picked.fields}
              state={state}
              onChange={change}
              onReload={reload}
              problems={problems}
              goesToProblem={goesToProblem}
            />
          </section>
        )}
        <section class="card stack" aria-label="Source">
          <div class="short-field">
            <TextField
              label="Name"
              value={name}
              onChange={setName}
              isOptional
              placeholder={picked?.component.name ?? ''}
              hint={SOURCE_TEXTS.name}
            />
          </div>
          {picked && <AddressChoice component={picked.component} value={listensTo} onChange={setListensTo} />}
          {problem !== undefined && <ErrorText error={problem} />}
          <div class="actions">
            <SubmitButton isPending={submission.isPending} pendingText="Creating…">
              Create source
            </SubmitButton>
          </div>
        </section>
      </form>
    </Page>
  );
}
