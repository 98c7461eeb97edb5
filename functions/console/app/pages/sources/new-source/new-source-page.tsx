import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { Allowed } from '../../../api/rights.tsx';
import { SOURCE_TEXTS } from '../../../../../../shared/domain/setting-texts.ts';
import { postSource } from '../../../api/source-api.ts';
import { createSubscription } from '../../../api/subscription-api.ts';
import { OwnersOnly } from '../../../components/empty-state.tsx';
import { FormEnd } from '../../../components/form-end.tsx';
import { useNotices } from '../../../components/notices.tsx';
import { Page } from '../../../components/page.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useSubmit } from '../../../hooks/use-submit.ts';
import { valuesOf } from '../../../props/prop-form.ts';
import { PropsForm } from '../../../props/props-form.tsx';
import { usePropsForm } from '../../../props/use-props-form.ts';
import { AddressChoice } from '../../../subscriptions/address-choice.tsx';
import { type Emitter, emitterFor } from '../../../subscriptions/app-emitter.ts';
import { TagsField } from '../../../tags/tags-field.tsx';
import { typedTags } from '../../../tags/typed-tags.ts';
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
  const [tags, setTags] = useState('');
  /** The source to listen to, which has the only address of the component's app. */
  const [listensTo, setListensTo] = useState<Emitter>();
  const submission = useCreation(component, form, { name, tags: typedTags(tags), listensTo });
  const { picked, error, reload } = component;

  return (
    <Page title="New source" section="Sources">
      <Allowed otherwise={<OwnersOnly act="creates sources" />}>
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
            <div class="short-field">
              <TagsField value={tags} onChange={setTags} hint={SOURCE_TEXTS.tags} />
            </div>
            {picked && <AddressChoice component={picked.component} value={listensTo} onChange={setListensTo} />}
            <FormEnd
              error={error ?? submission.error}
              isPending={submission.isPending}
              text="Create source"
              pendingText="Creating…"
            />
          </section>
        </form>
      </Allowed>
    </Page>
  );
}

/** Creates the source, and shows its page. */
function useCreation(
  { input: { origin, text }, pick, code }: NewComponent,
  { state, check }: ReturnType<typeof usePropsForm>,
  { name, tags, listensTo }: { name: string; tags: string[]; listensTo: Emitter | undefined },
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
      tags,
      configured_props: valuesOf(found.fields, state),
    });
    const emitter = emitterFor(found.component, listensTo);
    if (emitter !== '')
      await createSubscription({ emitter_id: emitter, listener_id: data.id, filter: undefined }).catch(refuse);
    if (origin === 'Code') code.saved(code.files);
    route(`/console/sources/${data.id}`);
    say(`Source ${data.name} created.`);
  });
}
