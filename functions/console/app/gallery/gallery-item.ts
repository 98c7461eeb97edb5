import type { ComponentItem } from '../api/wire.ts';

/** Something to begin a source with. */
export interface GalleryItem {
  /** Unique among all items. */
  id: string;
  kind: 'example' | 'registry';
  name: string;
  description: string;
  /** The apps that it needs an account of. */
  apps: readonly string[];
  /** Names of the interfaces that start it. */
  startedBy: readonly string[];
  /** The code of an example; undefined for a component that is found by its id. */
  code: string | undefined;
}

const INTERFACES: readonly (readonly [type: string, words: string])[] = [
  ['$.interface.timer', 'timer'],
  ['$.interface.http', 'HTTP'],
  ['$.interface.apphook', 'app'],
];

const member = (code: string, name: string): string | undefined =>
  new RegExp(String.raw`^  ${name}:\s*'((?:[^'\\]|\\.)*)'`, 'm').exec(code)?.[1]?.replace(/\\(.)/g, '$1');

/** The item of an example, from its text. Undefined for a text without key and name. */
export function itemOfExample(code: string): GalleryItem | undefined {
  const [key, name, description = ''] = ['key', 'name', 'description'].map((each) => member(code, each));
  if (key === undefined || name === undefined) return undefined;
  return {
    id: `example ${key}`,
    kind: 'example',
    name,
    description,
    apps: [...code.matchAll(/type: 'app',\s*app: '([^']+)'/g)].map(([, app = '']) => app),
    startedBy: INTERFACES.filter(([type]) => code.includes(`'${type}'`)).map(([, words]) => words),
    code,
  };
}

/** The item of a published component. */
export function itemOfComponent({ id, name, description, configurable_props: props }: ComponentItem): GalleryItem {
  const types = new Set(props.map(({ type }) => type));
  return {
    id,
    kind: 'registry',
    name,
    description: description ?? '',
    apps: props.flatMap(({ type, app }) => (type === 'app' && typeof app === 'string' ? [app] : [])),
    startedBy: INTERFACES.filter(([type]) => types.has(type)).map(([, words]) => words),
    code: undefined,
  };
}

/** Whether an item has every word of a search. */
export function matches({ id, name, description, apps }: GalleryItem, search: string): boolean {
  const text = [id, name, description, ...apps].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
