import { type Block, type Inline, parseMarkdown } from './parse-markdown.ts';

/** A text of a component with marks of Markdown. No mark of it becomes HTML: every part is drawn as text. */
export const Markdown = ({ text }: { text: string }) => (
  <div class="markdown">
    {parseMarkdown(text).map((block, n) => (
      <OneBlock key={n} block={block} />
    ))}
  </div>
);

function OneBlock({ block }: { block: Block }) {
  if (block.kind === 'code') return <pre tabIndex={0}>{block.text}</pre>;
  if (block.kind === 'paragraph')
    return (
      <p>
        <Parts parts={block.parts} />
      </p>
    );
  const items = block.items.map((parts, n) => (
    <li key={n}>
      <Parts parts={parts} />
    </li>
  ));
  return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

const Parts = ({ parts }: { parts: readonly Inline[] }) => (
  <>
    {parts.map((part, n) => (
      <Part key={n} part={part} />
    ))}
  </>
);

function Part({ part }: { part: Inline }) {
  if (part.kind === 'text') return <>{part.text}</>;
  if (part.kind === 'code') return <code>{part.text}</code>;
  const inside = <Parts parts={part.parts} />;
  if (part.kind === 'strong') return <strong>{inside}</strong>;
  if (part.kind === 'emphasis') return <em>{inside}</em>;
  return (
    <a href={part.href} target="_blank" rel="noopener noreferrer">
      {inside}
    </a>
  );
}
