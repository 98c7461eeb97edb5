/** The XML of S3's responses. */
type XmlValue = string | number | boolean | Date | undefined | XmlContent;
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
    .flatMap(([name, node]) => (Array.isArray(node) ? node : [node]).map((value) => element(name, value as XmlValue)))
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

/** Control characters become references: a parser reads a bare carriage return as a newline. */
function escape(text: string): string {
  return text.replace(
    /[&<>"']|\p{Cc}/gu,
    (character) => ENTITIES[character] ?? `&#x${character.charCodeAt(0).toString(16)};`,
  );
}
