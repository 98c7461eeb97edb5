import { hrefOf, useDirectory } from '../hooks/use-directory.ts';

/** A link to a source, a workflow or a webhook by its name; by its id until the names are read. */
export function EntryName({ id }: { id: string }) {
  const { data: directory } = useDirectory();
  return <a href={hrefOf(id)}>{directory?.entryOf(id).name ?? id}</a>;
}
