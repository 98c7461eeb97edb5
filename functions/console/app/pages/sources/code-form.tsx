import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { putSource } from '../../api/source-api.ts';
import type { Component, Source } from '../../api/wire.ts';
import { Badge } from '../../components/badge.tsx';
import { useNotices } from '../../components/notices.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { UnsavedGuard } from '../../components/unsaved-guard.tsx';
import { RestoredDraft } from './restored-draft.tsx';
import { useDraftedEdits } from '../../drafts/use-drafted-edits.ts';
import { CodeEditor } from '../../editor/code-editor.tsx';
import { codePositionsOf } from '../../editor/code-positions.ts';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { useSubmit } from '../../hooks/use-submit.ts';

/** The files of a component's code, the entry first. */
const filesOf = ({ path, code, files = {} }: Component): ReadonlyMap<string, string> =>
  new Map([[path, code], ...Object.entries(files)]);

/** The code of a source. `?file=&line=` is the position of a stack. */
export function CodeForm({ source, component }: { source: Source; component: Component }) {
  const queries = useQueryClient();
  const { say } = useNotices();
  const [positionFile] = useAddressFilter('file');
  const [positionLine] = useAddressFilter('line');
  const { path: entry } = component;
  const stored = filesOf(component);
  const [file, setFile] = useState(stored.has(positionFile) ? positionFile : entry);
  const { edits, files, edit, saved, discard, draft, isKept } = useDraftedEdits(source.id, {
    base: component.id,
    stored,
  });
  const isUnsaved = edits.size > 0;

  const { submit, isPending, error } = useSubmit(async () => {
    const others = Object.fromEntries([...files].filter(([path]) => path !== entry));
    await putSource(source.id, {
      component_code: files.get(entry) ?? '',
      component_path: entry,
      ...(files.size > 1 ? { component_files: others } : {}),
      active: source.active,
    });
    saved(files);
    say('Saved. The source runs the new code.');
    await queries.invalidateQueries({ queryKey: ['source', source.id] });
  });
  const problems = codePositionsOf(error).filter((position) => position.file === file);

  return (
    <form
      class="stack"
      onSubmit={submit}
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && event.key === 's') submit(event);
      }}
    >
      <UnsavedGuard isUnsaved={isUnsaved} isKept={isKept} />
      {draft && isUnsaved && (
        <RestoredDraft draft={draft} isOutdated={draft.base !== component.id} onDiscard={discard} />
      )}
      {stored.size > 1 && (
        <div class="short-field">
          <SelectFilter label="File" value={file} onChange={setFile} values={[...stored.keys()]} />
        </div>
      )}
      <CodeEditor
        key={file}
        label="Code"
        value={files.get(file) ?? ''}
        onChange={(text) => edit(file, text)}
        problems={problems}
        line={file === positionFile && positionLine !== '' ? Number(positionLine) : undefined}
      />
      <FormEnd error={error} isPending={isPending} text="Save" pendingText="Saving…">
        {isUnsaved && !draft && (
          <button type="button" onClick={discard}>
            Discard changes
          </button>
        )}
        {isUnsaved && <Badge tone="warn">not saved</Badge>}
        <span class="hint">
          {isUnsaved && !isKept && 'The changes are too long to be kept as a draft. '}
          Component: <a href={`/console/components/${component.id}`}>{component.name}</a> {component.version}
        </span>
      </FormEnd>
    </form>
  );
}
