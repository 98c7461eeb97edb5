import { useQuery } from '@tanstack/preact-query';
import { findWorkflow } from '../../api/workflow-api.ts';
import type { Workflow } from '../../api/wire.ts';
import { CopyLine } from '../../components/commands/copy-line.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { WorkflowEvents } from './workflow-events.tsx';

export function WorkflowPage({ id = '' }: { id?: string }) {
  const query = useQuery({ queryKey: ['workflow', id], queryFn: () => findWorkflow(id) });
  return (
    <Page
      title={query.data?.name ?? 'Workflow'}
      about={
        <>
          <a href="/console/workflows">All workflows</a>
          <IdLine name="id">{id}</IdLine>
        </>
      }
      actions={
        <a class="button" href={`/console/subscriptions?emitter=${id}`}>
          Add a listener
        </a>
      }
    >
      <Loaded query={query}>
        {(workflow) => (
          <>
            <Facts workflow={workflow} />
            <WorkflowEvents id={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Facts = ({ workflow }: { workflow: Workflow }) => (
  <section class="card" aria-label="About">
    <dl class="facts">
      <dt>Target</dt>
      <dd>
        <IdLine name="target">{workflow.target}</IdLine>
      </dd>
      <dt>Reports to</dt>
      <dd>
        <IdLine name="address">{workflow.ingest_url}</IdLine>
      </dd>
      <dt>Registered</dt>
      <dd>
        <Time ms={workflow.created_at * 1_000} />
      </dd>
      <dt>Emit an event</dt>
      <dd>
        <CopyLine name="curl line">
          {`curl -X POST '${workflow.ingest_url}/emits' -H 'authorization: Bearer CREDENTIAL' -H 'content-type: application/json' -d '{"hello":"world"}'`}
        </CopyLine>
      </dd>
    </dl>
  </section>
);
