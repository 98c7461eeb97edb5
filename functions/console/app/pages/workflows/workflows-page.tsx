import { listWorkflows } from '../../api/workflow-api.ts';
import type { Workflow } from '../../api/wire.ts';
import { CommandText } from '../../components/commands/command-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MoreButton } from '../../components/buttons/more-button.tsx';
import { Page } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useList } from '../../lists/use-list.ts';

export function WorkflowsPage() {
  const { query, items: workflows } = useList({ queryKey: ['workflows'], read: listWorkflows });
  return (
    <Page title="Workflows">
      <Loaded query={query}>
        {() => (workflows.length === 0 ? <NoWorkflows /> : <WorkflowTable workflows={workflows} />)}
      </Loaded>
      <MoreButton query={query} />
    </Page>
  );
}

const NoWorkflows = () => (
  <EmptyState title="No workflows yet.">
    <p>
      A workflow is a program of yours that gets events and reports its own events and errors. The operator of the
      service registers it:
    </p>
    <pre>
      <CommandText>tributary admin workflows register --owner u_… --name NAME --target URL</CommandText>
    </pre>
  </EmptyState>
);

const WorkflowTable = ({ workflows }: { workflows: readonly Workflow[] }) => (
  <Table
    name="Workflows"
    rows={workflows}
    idOf={({ id }) => id}
    columns={[
      {
        name: 'Name',
        cell: ({ id, name }) => <a href={`/console/workflows/${id}`}>{name}</a>,
      },
      { name: 'Target', cell: ({ target }) => <code>{target}</code> },
      { name: 'Registered', kind: 'wide', cell: ({ created_at: seconds }) => <Time ms={seconds * 1_000} /> },
    ]}
  />
);
