import { useQuery } from '@tanstack/preact-query';
import { useMemo } from 'preact/hooks';
import { type MarkdownNode, nodesOf, textOf, webAddress } from './markdown-nodes.ts';

/** The lexer is loaded with the first description. Until then, and without it, a text is shown as it was written. */
function useNodes(text: string): readonly MarkdownNode[] | undefined {
  const { data } = useQuery({ queryKey: ['marked'], queryFn: () => import('marked'), staleTime: Infinity });
  return useMemo(() => data && nodesOf(text, data.lexer), [data, text]);
}

/** A text of a component in Markdown. Nothing of it becomes HTML: each part is an element of its own, or text. */
export function Markdown({ text }: { text: string }) {
  const nodes = useNodes(text);
  return <div class="markdown">{nodes ? <Nodes nodes={nodes} /> : <p>{text}</p>}</div>;
}

/** The text without its marks, in one line. */
export function PlainMarkdown({ text }: { text: string }) {
  const nodes = useNodes(text);
  return <>{nodes ? textOf(nodes) : text}</>;
}

const Nodes = ({ nodes }: { nodes: readonly MarkdownNode[] }) => (
  <>
    {nodes.map((node, n) => (
      <Node key={n} node={node} />
    ))}
  </>
);

const ELEMENTS = new Map<string, 'p' | 'blockquote' | 'strong' | 'em' | 'li'>([
  ['paragraph', 'p'],
  ['blockquote', 'blockquote'],
  ['list_item', 'li'],
  ['strong', 'strong'],
  ['em', 'em'],
]);

function Node({ node }: { node: MarkdownNode }) {
  const { type, raw, text = raw, href, ordered, tokens, items } = node;
  const inside = tokens ? <Nodes nodes={tokens} /> : <>{text}</>;
  const Element = ELEMENTS.get(type);
  if (Element) return <Element>{inside}</Element>;
  if (type === 'heading')
    return (
      <p>
        <strong>{inside}</strong>
      </p>
    );
  if (type === 'code') return <pre tabIndex={0}>{text}</pre>;
  if (type === 'codespan') return <code>{text}</code>;
  if (type === 'br') return <br />;
  if (type === 'list') {
    const List = ordered === true ? 'ol' : 'ul';
    return <List>{items && <Nodes nodes={items} />}</List>;
  }
  const address = type === 'link' ? webAddress(href) : undefined;
  if (address !== undefined)
    return (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {inside}
      </a>
    );
  // HTML, images, tables and whatever else is shown as it was written.
  return type === 'text' || type === 'escape' ? inside : <>{raw}</>;
}
