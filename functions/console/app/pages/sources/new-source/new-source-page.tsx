import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { SOURCE_TEXTS } from '../../../../../../shared/domain/setting-texts.ts';
import { postSource } from '../../../api/source-api.ts';
import { createSubscription } from '../../../api/subscription-api.ts';
import { SubmitButton } from '../../../components/buttons/submit-button.tsx';
import { useNotices } from '../../../components/notices.tsx';
import { Page } from '../../../components/page.tsx';
import { ErrorText } from '../../../components/refusal.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useSubmit } from '../../../hooks/use-submit.ts';
import { valuesOf } from '../../../props/prop-form.ts';
import { PropsForm } from '../../../props/props-form.tsx';
import { usePropsForm } from '../../../props/use-props-form.ts';
import { AddressChoice } from '../../../subscriptions/address-choice.tsx';
import { type Emitter, emitterFor } from '../../../subscriptions/app-emitter.ts';
import type { Origin } from './component-picker.ts';
import { ComponentSections } from './component-sections.tsx';
import { type NewComponent, useNewComponent } from './use-new-component.ts';

const MISSING: Readonly<Record<Origin, string>> = {
  Code: 'Write the code of the component first.',
  Address: 'Enter the address first.',
  'Registry key': 'Enter the registry key first.',
};

export function NewSourcePage() {
  const component = useNewComponent();
  const form = usePropsForm();
  const [name, setName] = useState('');
  /** The source to listen to, which has the only address of the component's app. */
  const [listensTo, setListensTo] = useState<Emitter>();
  const submission = useCreation(component, form, { name, listensTo });
  const { picked, error, reload } = component;
  const problem = error ?? submission.error;

  return (
    <Page title="New source" about={<a href="/console/sources">All sources</a>}>
      <form class="stack" noValidate onSubmit={submission.submit}>
        <ComponentSections component={component} />
        {picked && picked.fields.length > 0 && (
          <section class="card stack" aria-label="Props">
            <h2>Props</h2>
            <PropsForm
              key={picked.component.id}
              componentId={picked.component.id}
              fields={picked.fields}
              state={form.state}
              onChange={form.change}
              onReload={reload}
              problems={form.problems}
              goesToProblem={form.goesToProblem}
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

/** Creates the source, and shows its page. */
function useCreation(
  { input: { origin, text }, pick, code }: NewComponent,
  { state, check }: ReturnType<typeof usePropsForm>,
  { name, listensTo }: { name: string; listensTo: Emitter | undefined },
) {
  const { route } = useLocation();
  const { say, refuse } = useNotices();
  return useSubmit(async (hasFocus) => {
    if (text.trim() === '') throw new Error(MISSING[origin]);
    const found = await pick();
    if (!found || !check(found.fields, { goTo: hasFocus() })) return;
    const { data } = await postSource({
      component_id: found.component.id,
      name: name.trim() || undefined,
      configured_props: valuesOf(found.fields, state),
    });
    const emitter = emitterFor(found.component, listensTo);
    if (emitter !== '')
      await createSubscription({ emitter_id: emitter, listener_id: data.id, filter: undefined }).catch(refuse);
    if (origin === 'Code') code.saved(code.files);
    route(`/console/sources/${data.id}`);
    say(`The source ${data.name} runs.`);
  });
}
