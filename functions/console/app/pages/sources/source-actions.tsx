import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'preact-iso/router';
import { Allowed } from '../../api/rights.tsx';
import { deleteSourceById, runSource, putSource } from '../../api/source-api.ts';
import type { Source } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { deleteAction, Menu, switchAction } from '../../components/buttons/menu.tsx';
import type { Notice } from '../../components/notices.tsx';
import { runNotice } from '../../events/run-notice.ts';
import { SENDING, useAddressFilter } from '../../hooks/use-address-filter.ts';
import { SendRequestDialog } from './send-request-dialog.tsx';
import { SendEventDialog } from './send-event-dialog.tsx';

/** The main actions of a source. */
export function SourceActions({ source }: { source: Source }) {
  const { id, name, active, endpoint_url: endpoint } = source;
  const queries = useQueryClient();
  const { route } = useLocation();
  const [sending, setSending] = useAddressFilter(SENDING, { typed: true });

  const open = () => setSending('1');
  const close = () => setSending('');
  async function run(): Promise<Notice> {
    const { data } = await runSource(id);
    return runNotice(id, data.id);
  }
  async function toggle(): Promise<string> {
    await putSource(id, { active: !active });
    void queries.invalidateQueries({ queryKey: ['source', id] });
    void queries.invalidateQueries({ queryKey: ['source-item', id] });
    return active ? 'The source is disabled.' : 'The source is enabled.';
  }
  async function remove(): Promise<string> {
    await deleteSourceById(id);
    await queries.invalidateQueries({ queryKey: ['sources'] });
    route('/console/sources');
    return `The source ${name} was deleted.`;
  }
  return (
    <Allowed>
      {endpoint !== null && (
        <button type="button" class="primary" onClick={open}>
          Send a request
        </button>
      )}
      <ActionButton needs="send" isMain={endpoint === null} act={run}>
        Run
      </ActionButton>
      {endpoint === null && (
        <button type="button" onClick={open}>
          Send an event…
        </button>
      )}
      <Menu
        items={[
          switchAction(active, toggle),
          deleteAction(
            'Delete this source?',
            <p>
              <strong>{name}</strong> stops, and its events, its data and its subscriptions are deleted with it.
            </p>,
            remove,
          ),
        ]}
      />
      {endpoint === null ? (
        <SendEventDialog source={source} isOpen={sending !== ''} onClose={close} />
      ) : (
        <SendRequestDialog source={source} endpoint={endpoint} isOpen={sending !== ''} onClose={close} />
      )}
    </Allowed>
  );
}
