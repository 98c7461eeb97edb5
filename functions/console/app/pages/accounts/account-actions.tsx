import { useState } from 'preact/hooks';
import { useConnect } from '../../accounts/connect-provider.tsx';
import type { Account } from '../../api/wire.ts';
import { Menu } from '../../components/buttons/menu.tsx';
import { Modal } from '../../components/modal.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { EditAccount } from './edit-account.tsx';

/** The actions of one account. */
export function AccountActions({ account }: { account: Account }) {
  const connect = useConnect();
  const [opened, setOpened] = useState<'edit' | 'delete'>();
  const close = (): void => setOpened(undefined);
  return (
    <>
      <Menu
        name={`Actions of ${account.name}`}
        items={[
          ...(account.kind === 'oauth' ? [{ name: 'Reconnect', open: () => connect({ account }) }] : []),
          { name: 'Edit', open: () => setOpened('edit') },
          { name: 'Delete', open: () => setOpened('delete'), isDangerous: true },
        ]}
      />
      <Modal isOpen={opened === 'edit'} title={`Edit ${account.name}`} onClose={close}>
        <EditAccount account={account} onClose={close} />
      </Modal>
      <Modal isOpen={opened === 'delete'} title={`Delete ${account.name}?`} onClose={close}>
        <DeleteAccount account={account} onClose={close} />
      </Modal>
    </>
  );
}
