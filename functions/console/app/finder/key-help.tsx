import { useState } from 'preact/hooks';
import { Modal } from '../components/modal.tsx';
import { SECTIONS } from './sections.ts';
import { usePageKeys } from './use-page-keys.ts';

const KEYS: readonly (readonly [keys: readonly string[], text: string])[] = [
  [['Ctrl', 'K'], 'Find anything'],
  [['/'], 'Search in the list'],
  ...SECTIONS.map(([, name, key]) => [['g', key], name] as const),
  [['?'], 'Show these keys'],
];

/** The keys of every page, and their list, which `?` opens. */
export function KeyHelp() {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  usePageKeys(() => setOpen(true));
  return (
    <Modal isOpen={isOpen} title="Keys" onClose={close}>
      <dl class="keys">
        {KEYS.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div class="actions end">
        <button type="button" autofocus onClick={close}>
          Close
        </button>
      </div>
    </Modal>
  );
}
