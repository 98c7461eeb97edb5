import type { ComponentChildren } from 'preact';
import type { Source } from '../../api/wire.ts';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Page } from '../../components/page.tsx';
import { useHasDraft } from '../../drafts/use-has-draft.ts';
import { SourceActions } from './source-actions.tsx';
import { SourceTags } from './source-tags.tsx';
import { StateBadge } from './source-state.tsx';
import { TriggerLine } from './trigger-line.tsx';
import { WaitingLine } from './waiting-line.tsx';
import { type SourceState, useComponent, useSource, useSourceState } from './use-source.ts';

const TABS = [
  ['', 'Events'],
  ['/metrics', 'Metrics'],
  ['/code', 'Code'],
  ['/props', 'Props'],
  ['/listeners', 'Listeners'],
] as const;

/** The head of the pages of one source. */
export function SourceFrame({
  id,
  children,
}: {
  id: string;
  children: (source: Source, state: SourceState | undefined) => ComponentChildren;
}) {
  const source = useSource(id);
  const hasDraft = useHasDraft(id);
  const state = useSourceState(source.data?.data);
  const component = useComponent(source.data?.data);
  const { name, endpoint_url: endpoint } = source.data?.data ?? { name: 'Source' };
  return (
    <Page
      title={name}
      section="Sources"
      mark={state && <StateBadge state={state.state} />}
      about={
        <>
          {source.data && <TriggerLine source={source.data.data} />}
          {component.data && (
            <span>
              Component <a href={`/console/components/${component.data.data.id}`}>{component.data.data.name}</a>
            </span>
          )}
          <IdLine name="id">{id}</IdLine>
          {endpoint != null && <IdLine name="endpoint">{endpoint}</IdLine>}
          {source.data && <WaitingLine source={source.data.data} />}
          {source.data && <SourceTags source={source.data.data} />}
        </>
      }
      actions={source.data && <SourceActions source={source.data.data} />}
    >
      {(source.data ?? source.error === null) && (
        <PageTabs label="Source" base={`/console/sources/${id}`} tabs={TABS} marked={hasDraft ? 'Code' : undefined} />
      )}
      <Loaded query={source}>{({ data }) => children(data, state)}</Loaded>
    </Page>
  );
}
