import type { Workflow } from '../../api/wire.ts';
import { CopyLine } from '../../components/commands/copy-line.tsx';

/** The command with which a workflow emits an event. */
export const EmitLine = ({ workflow: { ingest_url: address } }: { workflow: Workflow }) => (
  <CopyLine name="curl line">
    {`curl -X POST '${address}/emits' -H 'authorization: Bearer CREDENTIAL' -H 'content-type: application/json' -d '{"hello":"world"}'`}
  </CopyLine>
);
