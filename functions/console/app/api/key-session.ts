import { drafts } from '../drafts/drafts.ts';
import { samples } from '../drafts/samples.ts';
import type { Person, SessionState } from './wire.ts';

/** A page of a portal link has its token in the place of a key, and leaves the key of the console alone. */
const isPortal = location.pathname.startsWith('/portal');
const STORAGE_KEY = isPortal ? 'tributary.portal' : 'tributary.key';
const USER_KEY = 'tributary.user';
/** The person of this browser who is signed in without a key. Other tabs hear of a change. */
export const PERSON_KEY = 'tributary.person';

/** Whether this browser has a session of a person, as far as the page knows before it has asked. */
export const isPersonExpected = (): boolean => localStorage.getItem(PERSON_KEY) !== null;

export function expectPerson(identity: string): void {
  if (localStorage.getItem(PERSON_KEY) === identity) return;
  try {
    localStorage.setItem(PERSON_KEY, identity);
  } catch {
    // Samples may fill the storage. The page then shows the form until it has asked.
  }
}

/** The user whose things are shown, and who sees them. */
const identityOf = ({ email, user: { id } }: Person): string => `${id} ${email}`;

/**
 * The API key of this tab, or the person who is signed in by a cookie. A key is kept in the tab's session storage and
 * nowhere else, and comes first.
 */
class Session {
  #key: string | undefined = sessionStorage.getItem(STORAGE_KEY) ?? undefined;
  #person: Person | undefined;
  #refusal: string | undefined;
  /** The provider by which people sign in, once the service has told. */
  provider: SessionState['sign_in'] = null;
  readonly #listeners = new Set<() => void>();

  get key(): string | undefined {
    return this.#key;
  }

  /** The person who is signed in, unless this tab has a key. */
  get person(): Person | undefined {
    return this.#key === undefined ? this.#person : undefined;
  }

  /** Changes with the key, and with the person or the user. Undefined without both. */
  get identity(): string | undefined {
    return this.#key ?? (this.#person && identityOf(this.#person));
  }

  /** Whether requests may have the cookie of a person: those of a portal link have a token or nothing. */
  get takesCookie(): boolean {
    return this.#key === undefined && !isPortal;
  }

  /** The API's sentence about the last key; undefined after a sign-out. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Drafts and samples of another user are removed. Those of this user stay, also after a new key. */
  signIn(key: string, userId: string): void {
    this.#keepFor(userId);
    sessionStorage.setItem(STORAGE_KEY, key);
    this.#key = key;
    this.#tell(undefined);
  }

  /** The service told who is signed in, for the first time or again. */
  enterAs(person: Person): void {
    this.#keepFor(person.user.id);
    expectPerson(identityOf(person));
    this.#person = person;
    this.#tell(undefined);
  }

  /** Takes the token of a portal link, which has no drafts. */
  enter(token: string): void {
    sessionStorage.setItem(STORAGE_KEY, token);
    this.#key = token;
    this.#tell(undefined);
  }

  signOut(): void {
    drafts.clear();
    samples.clear();
    sessionStorage.removeItem(USER_KEY);
    this.#end(undefined);
  }

  /** The API refused the key, or the session of a person has ended. */
  expire(refusal: string): void {
    if (this.identity !== undefined) this.#end(refusal);
    else localStorage.removeItem(PERSON_KEY);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #keepFor(userId: string): void {
    if (sessionStorage.getItem(USER_KEY) !== userId) drafts.clear();
    samples.keepFor(userId);
    sessionStorage.setItem(USER_KEY, userId);
  }

  #end(refusal: string | undefined): void {
    if (this.#key === undefined) localStorage.removeItem(PERSON_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    this.#key = undefined;
    this.#person = undefined;
    this.#tell(refusal);
  }

  #tell(refusal: string | undefined): void {
    this.#refusal = refusal;
    for (const listener of this.#listeners) listener();
  }
}

export const session = new Session();
