import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { findWorkflow } from '../../api/workflow-api.ts';
import type { Workflow } from '../../api/wire.ts';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Page } from '../../components/page.tsx';

const TABS = [
  ['', 'Events'],
  ['/about', 'About'],
] as const;

interface WorkflowFrameProps {
  id: string;
  children: (workflow: Workflow) => ComponentChildren;
}

/** The head of the pages of one workflow. */
export function WorkflowFrame({ id, children }: WorkflowFrameProps) {
  const query = useQuery({ queryKey: ['workflow', id], queryFn: () => findWorkflow(id) });
  return (
    <Page
      title={query.data?.name ?? 'Workflow'}
      section="Workflows"
      about={<IdLine name="id">{id}</IdLine>}
      actions={
        <a class="button" href={`/console/subscriptions?emitter=${id}`}>
          Add a listener
        </a>
      }
    >
      <PageTabs label="Workflow" base={`/console/workflows/${id}`} tabs={TABS} />
      <Loaded query={query}>{children}</Loaded>
    </Page>
  );
}
