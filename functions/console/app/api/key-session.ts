import { drafts } from '../drafts/drafts.ts';
import { samples } from '../drafts/samples.ts';

/** A page of a portal link has its token in the place of a key, and leaves the key of the console alone. */
const STORAGE_KEY = location.pathname.startsWith('/portal') ? 'tributary.portal' : 'tributary.key';
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

  /** Drafts and samples of another user are removed. Those of this user stay, also after a new key. */
  signIn(key: string, userId: string): void {
    if (sessionStorage.getItem(USER_KEY) !== userId) drafts.clear();
    samples.keepFor(userId);
    sessionStorage.setItem(USER_KEY, userId);
    sessionStorage.setItem(STORAGE_KEY, key);
    this.#change(key, undefined);
  }

  /** Takes the token of a portal link, which has no drafts. */
  enter(token: string): void {
    sessionStorage.setItem(STORAGE_KEY, token);
    this.#change(token, undefined);
  }

  signOut(): void {
    drafts.clear();
    samples.clear();
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
