import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Api } from '../session/api.ts';
import { Component, ComponentWithCode } from '../session/response-schemas.ts';
import { unlessMissing, unknownName } from '../failures.ts';
import { readComponentFiles } from './local-component.ts';
import { suggestion } from './closest.ts';
import { COMPONENT, idNamed } from './resolve-name.ts';
import type { Terminal } from '../terminal.ts';

/** The kinds of text that a component is made from. */
export type Selector =
  | { kind: 'address'; url: string }
  | { kind: 'id'; id: string }
  | { kind: 'file'; path: string }
  | { kind: 'key'; key: string };

export function selectorOf(text: string, isFile: (path: string) => boolean): Selector {
  if (/^https?:\/\//i.test(text)) return { kind: 'address', url: text };
  if (text.startsWith('sc_')) return { kind: 'id', id: text };
  if (isFile(text) || /[/\\]|\.(?:js|mjs|cjs|ts)$/.test(text)) return { kind: 'file', path: text };
  return { kind: 'key', key: text };
}

/**
 * Saves the component of a file or an address, or finds that of an id or a key: one's own first, then the registry's.
 */
export async function componentOf(api: Api, { cwd }: Terminal, text: string): Promise<ComponentWithCode> {
  const selector = selectorOf(text, (path) => isFileAt(resolve(cwd, path)));
  switch (selector.kind) {
    case 'address':
      return api.send('POST', '/components', ComponentWithCode, { body: { component_url: selector.url } });
    case 'id':
      return componentById(api, selector.id);
    case 'file':
      return api.send('POST', '/components', ComponentWithCode, {
        body: await readComponentFiles(resolve(cwd, selector.path), selector.path),
      });
    case 'key':
      return componentByKey(api, selector.key);
  }
}

/** The component of an id, a key or a name. */
export async function componentNamed(api: Api, text: string): Promise<ComponentWithCode> {
  if (text.startsWith('sc_')) return componentById(api, text);
  const found = await findByKey(api, text);
  return found ?? componentById(api, await idNamed(api, [COMPONENT], text));
}

const componentById = (api: Api, id: string) => api.get(`/components/${encodeURIComponent(id)}`, ComponentWithCode);

async function findByKey(api: Api, key: string): Promise<ComponentWithCode | undefined> {
  const segment = encodeURIComponent(key);
  const own = await unlessMissing(api.get(`/components/${segment}`, ComponentWithCode));
  return own ?? unlessMissing(api.get(`/components/registry/${segment}`, ComponentWithCode));
}

async function componentByKey(api: Api, key: string): Promise<ComponentWithCode> {
  const found = await findByKey(api, key);
  if (found) return found;
  const known = await unlessMissing(api.list(COMPONENT.list, Component));
  const keys = (known ?? []).flatMap((component) => component.key ?? []);
  throw unknownName(
    `There is no component with the key ${key}, neither yours nor in the registry.${suggestion(key, keys)}`,
  );
}

function isFileAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
