import { drafts } from '../drafts/drafts.ts';

const STORAGE_KEY = 'tributary.key';
const USER_KEY = 'tributary.user';

/** The API key of this tab. It is kept in the tab's session storage and nowhere else. */
class Session {
  #key: string | undefined = sessionStorage.getItem(STORAGE_KEY) ?? undefined;
  #refusal: string | undefined;
  readonly #listeners = new Set<() => void>();

  get key(): string | undefined {
    return this.#key;
  }

  /** The API's sentence about the last key; undefined after a sign-out. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Drafts of another user are removed. Those of this user stay, also after a new key. */
  signIn(key: string, userId: string): void {
    if (sessionStorage.getItem(USER_KEY) !== userId) drafts.clear();
    sessionStorage.setItem(USER_KEY, userId);
    sessionStorage.setItem(STORAGE_KEY, key);
    this.#change(key, undefined);
  }

  signOut(): void {
    drafts.clear();
    sessionStorage.removeItem(USER_KEY);
    this.#end(undefined);
  }

  /** The API refused the key. */
  expire(refusal: string): void {
    if (this.#key !== undefined) this.#end(refusal);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #end(refusal: string | undefined): void {
    sessionStorage.removeItem(STORAGE_KEY);
    this.#change(undefined, refusal);
  }

  #change(key: string | undefined, refusal: string | undefined): void {
    this.#key = key;
    this.#refusal = refusal;
    for (const listener of this.#listeners) listener();
  }
}

export const session = new Session();
