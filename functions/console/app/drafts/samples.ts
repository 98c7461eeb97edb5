import { createSampleStore } from './sample-store.ts';

/** The samples of this browser. They end with a sign-out or another user: events may have personal data. */
export const samples = createSampleStore(localStorage);
