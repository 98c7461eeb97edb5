interface TagChipsProps {
  tags: readonly string[];
  /** The list that a tag filters. */
  list: 'sources' | 'webhooks';
}

/** The tags of a source or webhook. Each one is a link to the list of what has it. */
export const TagChips = ({ tags, list }: TagChipsProps) =>
  tags.length === 0 ? null : (
    <ul class="plain tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a class="tag" href={`/console/${list}?tag=${encodeURIComponent(tag)}`}>
            {tag}
          </a>
        </li>
      ))}
    </ul>
  );

/** Tags of a row of a list; a longer text names the others. */
const MAX_IN_ROW = 2;

const RowTags = ({ tags, list }: TagChipsProps) => (
  <div class="row-tags">
    <TagChips tags={tags.slice(0, MAX_IN_ROW)} list={list} />
    {tags.length > MAX_IN_ROW && (
      <span class="muted" title={tags.join(', ')}>
        +{tags.length - MAX_IN_ROW}
      </span>
    )}
  </div>
);

/** The column of tags of a list, if a row has one. */
export function tagColumn<Row extends { tags: readonly string[] }>(list: TagChipsProps['list'], rows: readonly Row[]) {
  const isUsed = rows.some(({ tags }) => tags.length > 0);
  const column = { name: 'Tags', kind: 'wider', cell: ({ tags }: Row) => <RowTags tags={tags} list={list} /> } as const;
  return isUsed ? [column] : [];
}
