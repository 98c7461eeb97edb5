import { createDraftStore } from './draft-store.ts';

/** The drafts of this tab. Like the key they end with it, and with a sign-out. */
export const drafts = createDraftStore(sessionStorage, Date.now);

/** The draft of the form of a new source. */
export const NEW_SOURCE = 'new';
