import { About } from '../../components/facts.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Time } from '../../components/time.tsx';
import { EmitLine } from './emit-line.tsx';
import { WorkflowFrame } from './workflow-frame.tsx';

export const WorkflowAboutPage = ({ id = '' }: { id?: string }) => (
  <WorkflowFrame id={id}>
    {(workflow) => (
      <About
        facts={[
          ['Target', <IdLine name="target">{workflow.target}</IdLine>],
          ['Reports to', <IdLine name="address">{workflow.ingest_url}</IdLine>],
          ['Registered', <Time ms={workflow.created_at * 1_000} />],
          ['Emit an event', <EmitLine workflow={workflow} />],
        ]}
      />
    )}
  </WorkflowFrame>
);
