import { OWN_NAMES } from '../domain/db-merge.ts';
import { isDict } from './guards.ts';
import { RuntimeError } from './thrown.ts';

/** What components see as a prop of type `$.service.db`: synchronous, JSON in and out. */
export interface DatabaseHandle {
  get(key: unknown): unknown;
  set(key: unknown, value: unknown): void;
}

/** The db of one source while its jobs run; `text` is what would be stored. */
export class Database {
  /** JSON text per key, so that what a component got and changed is not stored until it sets it. */
  #entries: Map<string, string> | undefined;
  readonly #own = new Set<string>();
  #json: string;
  readonly #limitBytes: number;

  constructor(json: string, limitBytes: number) {
    this.#json = json;
    this.#limitBytes = limitBytes;
  }

  get text(): string {
    return this.#json;
  }

  get(key: unknown): unknown {
    const text = this.#read().get(String(key));
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** JSON texts, with their names, of all but what was set as the component's own. */
  get said(): string[] {
    return [...this.#read()].flatMap(([name, text]) => (this.#own.has(name) ? [] : [name, text]));
  }

  /** True when it changed anything. `undefined` removes the key, as JSON would. */
  set(key: unknown, value: unknown, isOwn: (text: string) => boolean = () => false): boolean {
    const name = String(key);
    if (name === OWN_NAMES) return false;
    const entries = this.#read();
    const before = { text: entries.get(name), isOwn: this.#own.has(name) };
    const text = serialised(name, value);
    const after = { text, isOwn: text !== undefined && (isOwn(name) || isOwn(text)) };
    if (after.text === before.text && after.isOwn === before.isOwn) return false;
    this.#put(name, after);
    const json = this.#serialised(entries);
    if (Buffer.byteLength(json) > this.#limitBytes) {
      this.#put(name, before);
      throw new RuntimeError('db_too_large', `$.service.db holds at most ${this.#limitBytes} bytes of JSON.`);
    }
    this.#json = json;
    return true;
  }

  #put(name: string, { text, isOwn }: { text: string | undefined; isOwn: boolean }): void {
    if (text === undefined) this.#read().delete(name);
    else this.#read().set(name, text);
    if (isOwn) this.#own.add(name);
    else this.#own.delete(name);
  }

  #serialised(entries: ReadonlyMap<string, string>): string {
    const members =
      this.#own.size === 0 ? entries : [...entries, [OWN_NAMES, JSON.stringify([...this.#own])] as const];
    return `{${[...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
  }

  #read(): Map<string, string> {
    if (this.#entries) return this.#entries;
    const stored: unknown = JSON.parse(this.#json);
    const { [OWN_NAMES]: own, ...members } = isDict(stored) ? stored : {};
    if (Array.isArray(own)) for (const name of own) this.#own.add(String(name));
    this.#entries = new Map(Object.entries(members).map(([key, value]) => [key, JSON.stringify(value)]));
    return this.#entries;
  }
}

function serialised(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RuntimeError('db_not_serialisable', `The db value "${key}" is no JSON: ${reason}`, { cause });
  }
  if (text === undefined) {
    throw new RuntimeError(
      'db_not_serialisable',
      `The db value "${key}" is no JSON: it is a ${typeof value}.`,
    );
  }
  return text;
}
