import { useState } from 'preact/hooks';
import { Allowed } from '../../api/rights.tsx';
import { CopyButton } from '../../components/buttons/copy-button.tsx';
import { CopyLine } from '../../components/commands/copy-line.tsx';
import { Modal } from '../../components/modal.tsx';
import { listenLine } from './listen-line.ts';
import { SaveSample } from './save-sample.tsx';
import { SendAgainDialog } from './send-again-dialog.tsx';
import type { SentEvent } from './sent-event.ts';
import { signedCurl } from './signed-curl.ts';

interface EventActionsProps {
  event: SentEvent;
  /** The webhook that got the event. */
  webhookId?: string | undefined;
  /** The address to which the copied commands post. */
  address?: string | undefined;
}

type OpenDialog = 'send-again' | 'localhost';

/** The ways to send an event once more. */
export function EventActions({ event, webhookId, address }: EventActionsProps) {
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const { emitterId } = event;
  return (
    <div class="actions small">
      <CopyButton text={signedCurl(event, address)} label="Copy as curl">
        Copy as curl
      </CopyButton>
      <Allowed>
        <button type="button" onClick={() => setDialog('send-again')}>
          Send again, edited…
        </button>
      </Allowed>
      {emitterId !== undefined && (
        <button type="button" onClick={() => setDialog('localhost')}>
          Send to localhost…
        </button>
      )}
      {emitterId?.startsWith('dc_') === true && <SaveSample sourceId={emitterId} json={event.json} />}
      <SendAgainDialog json={event.json} webhookId={webhookId} isOpen={dialog === 'send-again'} onClose={close} />
      {emitterId !== undefined && (
        <Modal isOpen={dialog === 'localhost'} title="Send to localhost" onClose={close}>
          <Localhost emitterId={emitterId} stream={event.stream} onClose={close} />
        </Modal>
      )}
    </div>
  );
}

interface LocalhostProps {
  emitterId: string;
  stream: string;
  onClose: () => void;
}

const Localhost = ({ emitterId, stream, onClose }: LocalhostProps) => (
  <>
    <p>This command posts new events of the stream to your machine, signed as to a webhook, until Ctrl-C:</p>
    <CopyLine name="listen line">{listenLine(emitterId, stream)}</CopyLine>
    <p class="hint">
      It needs the command line of Tributary and an API key. “Copy as curl” posts this one event; fill in the signing
      secret and the address.
    </p>
    <div class="actions end">
      <button type="button" autofocus onClick={onClose}>
        Close
      </button>
    </div>
  </>
);
