import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useRef, useState } from 'preact/hooks';
import { getComponent, reloadProps } from '../../api/component-api.ts';
import { putSource } from '../../api/source-api.ts';
import type { Component, Source } from '../../api/wire.ts';
import { Badge } from '../../components/badge.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useNotices } from '../../components/notices.tsx';
import { FormEnd, FormFields } from '../../components/form-end.tsx';
import { UnsavedGuard } from '../../components/unsaved-guard.tsx';
import { useSubmit } from '../../hooks/use-submit.ts';
import { changesOf } from '../../props/prop-form.ts';
import { fieldsOf } from '../../props/prop-schema.ts';
import { PropsForm } from '../../props/props-form.tsx';
import { usePropsForm } from '../../props/use-props-form.ts';
import { SourceFrame } from './source-frame.tsx';

export const SourcePropsPage = ({ id = '' }: { id?: string }) => (
  <SourceFrame id={id}>{(source) => <SourceProps key={source.component_id} source={source} />}</SourceFrame>
);

function SourceProps({ source }: { source: Source }) {
  const component = useQuery({
    queryKey: ['component-props', source.component_id],
    queryFn: () => propsOf(source),
  });
  return (
    <Loaded query={component} rows={4}>
      {(data) => <SavedProps source={source} component={data} />}
    </Loaded>
  );
}

/** The component with the props that the stored values bring with them. */
async function propsOf({ component_id: id, configured_props: values }: Source): Promise<Component> {
  const { data } = await getComponent(id);
  if (!data.configurable_props.some((prop) => prop['reloadProps'] === true)) return data;
  const reloaded = await reloadProps(id, values);
  return { ...data, configurable_props: reloaded.data.configurable_props };
}

function SavedProps({ source, component }: { source: Source; component: Component }) {
  const queries = useQueryClient();
  const { say, refuse } = useNotices();
  const [fields, setFields] = useState(() => fieldsOf(component.configurable_props));
  const { state, problems, goesToProblem, change, saved, check } = usePropsForm();
  const reloads = useRef(0);
  const stored = source.configured_props;

  const reload = (values: Record<string, unknown>): void => {
    reloads.current += 1;
    const own = reloads.current;
    reloadProps(component.id, values).then(({ data }) => {
      // A slower response about earlier values must not replace it.
      if (own === reloads.current) setFields(fieldsOf(data.configurable_props));
    }, refuse);
  };
  const { submit, isPending, error } = useSubmit(async () => {
    if (!check(fields, { stored })) return;
    await putSource(source.id, { configured_props: changesOf(fields, state) });
    say('Saved. The source runs with the new props.');
    await queries.invalidateQueries({ queryKey: ['source', source.id] });
    saved(state);
  });

  if (fields.length === 0)
    return (
      <EmptyState title="This component has no props to set.">
        <p>
          Props are declared in the <a href={`/console/sources/${source.id}/code`}>code</a>.
        </p>
      </EmptyState>
    );
  return (
    <form class="card stack" noValidate onSubmit={submit}>
      <UnsavedGuard isUnsaved={state.size > 0} />
      <FormFields>
        <PropsForm
          componentId={component.id}
          fields={fields}
          stored={stored}
          state={state}
          onChange={change}
          onReload={reload}
          problems={problems}
          goesToProblem={goesToProblem}
        />
      </FormFields>
      <FormEnd error={error} isPending={isPending} text="Save" pendingText="Saving…">
        {state.size > 0 && <Badge tone="warn">not saved</Badge>}
      </FormEnd>
    </form>
  );
}
