import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { removeKey } from '../../api/key-api.ts';
import type { AccessKey, NewAccessKey } from '../../api/wire.ts';
import { deleteAction, Menu } from '../../components/buttons/menu.tsx';
import { Modal } from '../../components/modal.tsx';
import { RotateKey } from './rotate-key.tsx';

interface KeyActionsProps {
  apiKey: AccessKey;
  onMade: (made: NewAccessKey) => void;
  onDelete: (id: string) => void;
}

/** The actions of one key. That of this tab cannot be deleted. */
export function KeyActions({ apiKey, onMade, onDelete }: KeyActionsProps) {
  const { id, name, is_current: isCurrent } = apiKey;
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  async function remove(): Promise<string> {
    await removeKey(id);
    onDelete(id);
    await queries.invalidateQueries({ queryKey: ['keys'] });
    return `The key ${name} stops within 60 s.`;
  }
  const consequences = <p>Programs that use the key are refused within 60 s, and live streams that it opened end.</p>;
  return (
    <>
      <Menu
        name={`Actions of ${name}`}
        items={[
          { name: 'Rotate key', open: () => setOpen(true) },
          ...(isCurrent ? [] : [deleteAction(`Delete ${name}?`, consequences, remove)]),
        ]}
      />
      <Modal isOpen={isOpen} title="Rotate key" onClose={close}>
        <RotateKey apiKey={apiKey} onMade={onMade} onClose={close} />
      </Modal>
    </>
  );
}
