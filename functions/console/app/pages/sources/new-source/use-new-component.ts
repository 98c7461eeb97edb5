import { useEffect, useState } from 'preact/hooks';
import { NEW_SOURCE } from '../../../drafts/drafts.ts';
import { useDraftedEdits } from '../../../drafts/use-drafted-edits.ts';
import type { GalleryItem } from '../../../gallery/gallery-item.ts';
import { useAddressFilter } from '../../../hooks/use-address-filter.ts';
import type { Origin } from './component-picker.ts';
import { usePickedComponent } from './use-picked-component.ts';

/** The name that the code of a new source has in its draft. */
const ENTRY = 'component.mjs';

export type NewComponent = ReturnType<typeof useNewComponent>;

/** The component of a new source: code, address or key. `?key=` names one to begin with. */
export function useNewComponent() {
  const [keyOfAddress] = useAddressFilter('key');
  const [origin, setOrigin] = useState<Origin>(keyOfAddress === '' ? 'Code' : 'Registry key');
  /** The code of the starting point that was chosen. */
  const [start, setStart] = useState('');
  const code = useDraftedEdits(NEW_SOURCE, { base: '', stored: new Map([[ENTRY, start]]) });
  /** The starting point that would replace typed code. */
  const [replacing, setReplacing] = useState<string>();
  const [isGalleryOpen, setGalleryOpen] = useState(keyOfAddress === '' && code.edits.size === 0);
  const [address, setAddress] = useState('');
  const [key, setKey] = useState(keyOfAddress);
  const { pick, ...picking } = usePickedComponent();
  const typed: Readonly<Record<Origin, [text: string, change: (text: string) => void]>> = {
    Code: [code.files.get(ENTRY) ?? '', (text) => code.edit(ENTRY, text)],
    Address: [address, setAddress],
    'Registry key': [key, setKey],
  };
  const [text, setText] = typed[origin];
  const isUnsaved = code.edits.size > 0;

  const showProps = (): void => {
    if (text.trim() !== '') void pick(origin, text);
  };
  // An address that names a component shows its props at once.
  useEffect(showProps, []);

  const startWith = (chosen: string): void => {
    setReplacing(undefined);
    setOrigin('Code');
    setStart(chosen);
    code.discard();
    void pick('Code', chosen);
  };
  /** Typed code is not replaced unasked. */
  const begin = (chosen: string): void => {
    if (isUnsaved) setReplacing(chosen);
    else startWith(chosen);
  };
  const pickItem = (item: GalleryItem): void => {
    setGalleryOpen(false);
    if (item.code !== undefined) {
      begin(item.code);
      return;
    }
    setOrigin('Registry key');
    setKey(item.id);
    void pick('Registry key', item.id);
  };
  const input = { origin, onOrigin: setOrigin, text, onText: setText, onStart: begin, onLeave: showProps };
  return {
    ...picking,
    pick: () => pick(origin, text),
    input,
    code,
    isUnsaved,
    replacement: { replacing, setReplacing, startWith },
    gallery: { isGalleryOpen, setGalleryOpen, pickItem },
  };
}
