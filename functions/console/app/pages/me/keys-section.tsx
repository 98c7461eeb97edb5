import { useQuery } from '@tanstack/preact-query';
import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { listKeys } from '../../api/key-api.ts';
import { Allowed, useLack, usePerson } from '../../api/rights.tsx';
import type { AccessKey, NewAccessKey, Scope } from '../../api/wire.ts';
import { CopyButton } from '../../components/buttons/copy-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Modal } from '../../components/modal.tsx';
import { Table } from '../../components/table.tsx';
import { Time, TimeOrDash } from '../../components/time.tsx';
import { AgoOrDash } from '../../components/times/ago.tsx';
import { CreateKey, SCOPE_TEXTS } from './create-key.tsx';
import { KeyActions } from './key-actions.tsx';

/** The API keys of the user. A new one is shown once, above the list. */
export function KeysSection() {
  const query = useQuery({ queryKey: ['keys'], queryFn: listKeys });
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<NewAccessKey>();
  const lack = useLack('manage');
  const person = usePerson();
  const close = (): void => setOpen(false);
  const forget = (id: string): void => setMade((shown) => (shown?.id === id ? undefined : shown));
  return (
    <section class="stack" aria-labelledby="keys">
      <div class="section-header">
        <h2 id="keys">API keys</h2>
        <Allowed>
          <button type="button" disabled={lack !== undefined} title={lack} onClick={() => setOpen(true)}>
            Create key
          </button>
        </Allowed>
      </div>
      {person && (
        <p class="hint">You are signed in without a key. Keys are for programs, and work on after you sign out.</p>
      )}
      {made && <NewKeyCard made={made} />}
      <Loaded query={query}>{({ data }) => <KeyTable keys={data} onMade={setMade} onDelete={forget} />}</Loaded>
      <Modal isOpen={isOpen} title="Create key" onClose={close}>
        <CreateKey onMade={setMade} onClose={close} />
      </Modal>
    </section>
  );
}

const NewKeyCard = ({ made: { name, api_key: key } }: { made: NewAccessKey }) => (
  <section class="card stack" aria-label="New key">
    <h2>{name}</h2>
    <p class="advice">Copy the key now: it is shown only once.</p>
    <div class="secret">
      <code>{key}</code>
      <CopyButton text={key}>Copy</CopyButton>
    </div>
  </section>
);

/** Two names stay on one line. */
const scopesText = (scopes: readonly Scope[]): string =>
  scopes.length === SCOPE_TEXTS.length ? 'all' : scopes.join(', ').replace(', ', ',\u00a0');

type KeyTableProps = { keys: readonly AccessKey[] } & Omit<ComponentProps<typeof KeyActions>, 'apiKey'>;

const KeyTable = ({ keys, ...handlers }: KeyTableProps) => (
  <Table
    name="API keys"
    rows={keys}
    idOf={({ id }) => id}
    columns={[
      {
        name: 'Name',
        cell: ({ name, is_current: isCurrent }) => (
          <span class="row">
            <span class="entry">{name}</span>
            {isCurrent && <Badge tone="ok">this tab</Badge>}
          </span>
        ),
      },
      { name: 'Scopes', cell: ({ scopes }) => scopesText(scopes) },
      { name: 'Last use', cell: ({ last_used_ms: ms }) => <AgoOrDash ms={ms} /> },
      { name: 'Expires', kind: 'wide', cell: ({ expires_at_ms: ms }) => <TimeOrDash ms={ms} /> },
      { name: 'Old secret works until', kind: 'widest', cell: ({ overlap_until_ms: ms }) => <TimeOrDash ms={ms} /> },
      { name: 'Created', kind: 'wide', cell: ({ created_at: seconds }) => <Time ms={seconds * 1_000} /> },
      { name: 'Actions', cell: (key) => <KeyActions apiKey={key} {...handlers} /> },
    ]}
  />
);
