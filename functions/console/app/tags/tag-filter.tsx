import { useState } from 'preact/hooks';
import { Combobox } from '../choosing/combobox.tsx';
import { useAddressFilter } from '../hooks/use-address-filter.ts';
import { useDirectory } from '../hooks/use-directory.ts';

/** The tag of the address. All tags are read when a person goes to the box. */
export function TagFilter() {
  const [tag, setTag] = useAddressFilter('tag');
  const [isAsked, setAsked] = useState(false);
  const { tags = [] } = useDirectory({ isOn: isAsked }).data ?? {};
  return (
    <Combobox
      label="Tag"
      isShort
      placeholder="All tags"
      value={tag}
      onChange={setTag}
      onFocus={() => setAsked(true)}
      groups={[['Tags', tags.map((name) => ({ id: name, name }))]]}
    />
  );
}
