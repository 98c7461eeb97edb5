import { isDict } from './guards.ts';
import { RuntimeError } from './thrown.ts';

/** The value of a prop of type `$.service.db`: synchronous, with JSON values. */
export interface DatabaseHandle {
  get(key: unknown): unknown;
  set(key: unknown, value: unknown): void;
}

/** The db of one source while its jobs run; `text` is the JSON to store. */
export class Database {
  /** JSON text per key, so that changes of a value returned by `get` are not stored without `set`. */
  #entries: Map<string, string> | undefined;
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

  /** True when the db changed. `undefined` removes the key. */
  set(key: unknown, value: unknown): boolean {
    const name = String(key);
    const entries = this.#read();
    const before = entries.get(name);
    const after = serialised(name, value);
    if (after === before) return false;
    put(entries, name, after);
    const members = [...entries].map(([member, text]) => `${JSON.stringify(member)}:${text}`);
    const json = `{${members.join(',')}}`;
    if (Buffer.byteLength(json) > this.#limitBytes) {
      put(entries, name, before);
      throw new RuntimeError('db_too_large', `$.service.db holds at most ${this.#limitBytes} bytes of JSON.`);
    }
    this.#json = json;
    return true;
  }

  #read(): Map<string, string> {
    if (this.#entries) return this.#entries;
    const stored: unknown = JSON.parse(this.#json);
    const members = Object.entries(isDict(stored) ? stored : {});
    this.#entries = new Map(members.map(([key, value]) => [key, JSON.stringify(value)]));
    return this.#entries;
  }
}

function put(entries: Map<string, string>, name: string, text: string | undefined): void {
  if (text === undefined) entries.delete(name);
  else entries.set(name, text);
}

function serialised(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RuntimeError('db_not_serialisable', `The db value "${key}" is not JSON: ${reason}`, { cause });
  }
  if (text === undefined) {
    throw new RuntimeError('db_not_serialisable', `The db value "${key}" is not JSON: it is a ${typeof value}.`);
  }
  return text;
}
