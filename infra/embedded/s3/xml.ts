const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** An element with texts by the names of its children. */
export function xmlDocument(root: string, texts: Readonly<Record<string, string>>): string {
  const children = Object.entries(texts).map(([name, text]) => `<${name}>${escape(text)}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${children.join('')}</${root}>`;
}

/** Control characters become references: a parser reads a bare carriage return as a newline. */
function escape(text: string): string {
  return text.replace(
    /[&<>"']|\p{Cc}/gu,
    (character) => ENTITIES[character] ?? `&#x${character.charCodeAt(0).toString(16)};`,
  );
}
