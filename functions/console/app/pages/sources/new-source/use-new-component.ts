import { useEffect, useState } from 'preact/hooks';
import { NEW_SOURCE } from '../../../drafts/drafts.ts';
import { useDraftedEdits } from '../../../drafts/use-drafted-edits.ts';
import type { GalleryItem } from '../../../gallery/gallery-item.ts';
import { useAddressFilter } from '../../../hooks/use-address-filter.ts';
import type { Origin } from './component-picker.ts';
import type { Start } from './start-from.tsx';
import { usePickedComponent } from './use-picked-component.ts';

/** The name that the code of a new source has in its draft. */
const ENTRY = 'component.mjs';

export type NewComponent = ReturnType<typeof useNewComponent>;

const isComponentId = (key: string): boolean => key.startsWith('sc_');

/** The component of a new source: code, address or key. `?key=` names one to begin with. */
export function useNewComponent() {
  const [keyOfAddress] = useAddressFilter('key');
  /** The id of the component that was chosen on another page or in the gallery; empty without one. */
  const [chosenId, setChosenId] = useState(isComponentId(keyOfAddress) ? keyOfAddress : '');
  const [ownOrigin, setOrigin] = useState<Origin>(keyOfAddress === chosenId ? 'Code' : 'Registry key');
  /** The starting point that was chosen. */
  const [start, setStart] = useState<Start>();
  const code = useDraftedEdits(NEW_SOURCE, { base: '', stored: new Map([[ENTRY, start?.code ?? '']]) });
  /** The starting point that would replace typed code. */
  const [replacing, setReplacing] = useState<Start>();
  const [isGalleryOpen, setGalleryOpen] = useState(keyOfAddress === '' && code.edits.size === 0);
  const [address, setAddress] = useState('');
  const [key, setKey] = useState(chosenId === '' ? keyOfAddress : '');
  const { pick, ...picking } = usePickedComponent();
  const typed: Readonly<Record<Origin, [text: string, change: (text: string) => void]>> = {
    Code: [code.files.get(ENTRY) ?? '', (text) => code.edit(ENTRY, text)],
    Address: [address, setAddress],
    'Registry key': [key, setKey],
  };
  const [typedText, setText] = typed[ownOrigin];
  const [origin, text]: [Origin, string] = chosenId === '' ? [ownOrigin, typedText] : ['Registry key', chosenId];
  const isUnsaved = code.edits.size > 0;

  const showProps = (): void => {
    if (text.trim() !== '') void pick(origin, text);
  };
  // An address that names a component shows its props at once.
  useEffect(showProps, []);

  const startWith = (chosen: Start): void => {
    setReplacing(undefined);
    setGalleryOpen(false);
    setChosenId('');
    setOrigin('Code');
    setStart(chosen);
    code.discard();
    void pick('Code', chosen.code);
  };
  /** Typed code is not replaced unasked. */
  const begin = (chosen: Start): void => {
    if (isUnsaved) setReplacing(chosen);
    else startWith(chosen);
  };
  const pickItem = (item: GalleryItem): void => {
    if (item.code !== undefined) {
      begin({ choice: item, code: item.code });
      return;
    }
    setGalleryOpen(false);
    setChosenId(item.id);
    void pick('Registry key', item.id);
  };
  const input = { origin, onOrigin: setOrigin, text, onText: setText, onLeave: showProps };
  return {
    ...picking,
    pick: () => pick(origin, text),
    input,
    code,
    isUnsaved,
    replacement: { replacing, setReplacing, startWith },
    gallery: { isGalleryOpen, setGalleryOpen, pickItem, chosen: chosenId === '' ? start?.choice : undefined, begin },
    /** Goes back to the forms for code, address and key. */
    chooseAnother: chosenId === '' ? undefined : () => setChosenId(''),
  };
}
