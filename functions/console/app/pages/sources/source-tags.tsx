import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Allowed } from '../../api/rights.tsx';
import { SOURCE_TEXTS } from '../../../../../shared/domain/setting-texts.ts';
import { putSource } from '../../api/source-api.ts';
import type { Source } from '../../api/wire.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { Modal } from '../../components/modal.tsx';
import { useNotices } from '../../components/notices.tsx';
import { replaceData } from '../../hooks/replace-data.ts';
import { useSubmit } from '../../hooks/use-submit.ts';
import { TagChips } from '../../tags/tag-chips.tsx';
import { TagsField } from '../../tags/tags-field.tsx';
import { textOfTags, typedTags } from '../../tags/typed-tags.ts';

/** The tags of a source, and the dialog that changes them. */
export function SourceTags({ source }: { source: Source }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div class="row">
      <TagChips tags={source.tags} list="sources" />
      <Allowed>
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          {source.tags.length === 0 ? 'Add tags' : 'Edit tags'}
        </button>
      </Allowed>
      <Modal isOpen={isOpen} title="Tags" onClose={close}>
        <TagsForm source={source} onClose={close} />
      </Modal>
    </div>
  );
}

function TagsForm({ source: { id, tags }, onClose }: { source: Source; onClose: () => void }) {
  const queries = useQueryClient();
  const { say } = useNotices();
  const [text, setText] = useState(textOfTags(tags));
  const { submit, isPending, error } = useSubmit(async () => {
    await replaceData(queries, ['source', id], await putSource(id, { tags: typedTags(text) }));
    say('The tags were saved.');
    onClose();
  });
  return (
    <form class="stack" noValidate onSubmit={submit}>
      <TagsField value={text} onChange={setText} hint={SOURCE_TEXTS.tags} />
      <FormEnd error={error} isPending={isPending} text="Save" pendingText="Saving…" onCancel={onClose} />
    </form>
  );
}
