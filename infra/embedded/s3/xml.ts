/** The little XML that S3 speaks. */
export type XmlValue = string | number | boolean | Date | undefined | XmlContent;
/** Elements by name; an array repeats its element. */
export interface XmlContent {
  readonly [name: string]: XmlNode;
}
type XmlNode = XmlValue | readonly XmlValue[];

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function xmlDocument(root: string, content: XmlContent, namespace?: string): string {
  const attribute = namespace === undefined ? '' : ` xmlns="${namespace}"`;
  return `${DECLARATION}<${root}${attribute}>${children(content)}</${root}>`;
}

function children(content: XmlContent): string {
  return Object.entries(content)
    .flatMap(([name, node]) =>
      (Array.isArray(node) ? node : [node]).map((value) => element(name, value as XmlValue)),
    )
    .join('');
}

function element(name: string, value: XmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Date) return `<${name}>${value.toISOString()}</${name}>`;
  if (typeof value === 'object') return `<${name}>${children(value)}</${name}>`;
  return `<${name}>${escape(String(value))}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Control characters as references: a bare carriage return would be read back as a newline. */
function escape(text: string): string {
  return text.replace(
    /[&<>"']|\p{Cc}/gu,
    (character) => ENTITIES[character] ?? `&#x${character.charCodeAt(0).toString(16)};`,
  );
}

export interface XmlElement {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

/** Reads a document without attributes, comments and sections that matter; undefined when it is not well-formed. */
export function parseXml(source: string): XmlElement | undefined {
  const root: XmlElement = { name: '', children: [], text: '' };
  const open = [root];
  let at = 0;
  for (const match of source.matchAll(
    /<(\/?)([A-Za-z][\w:.-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*?)(\/?)>|<\?[^>]*\?>/g,
  )) {
    const current = open.at(-1);
    if (!current) return undefined;
    current.text += unescape(source.slice(at, match.index));
    at = match.index + match[0].length;
    const [, closing, name, , empty] = match;
    if (name === undefined) continue;
    if (closing) {
      if (open.length === 1 || current.name !== name) return undefined;
      open.pop();
      continue;
    }
    const child: XmlElement = { name, children: [], text: '' };
    current.children.push(child);
    if (!empty) open.push(child);
  }
  const rest = source.slice(at).trim();
  return open.length === 1 && rest === '' && root.children.length === 1 && root.text.trim() === ''
    ? root.children[0]
    : undefined;
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescape(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return CHARACTERS[name] ?? whole;
      return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );
}
