import type { Notice } from '../components/notices.tsx';
import { runHref } from './run-href.ts';

/** Says that a run was accepted, with the way to its page. */
export const runNotice = (sourceId: string, triggerId: string): Notice => ({
  text: 'The run was accepted.',
  href: runHref(sourceId, triggerId),
  link: 'Follow the run',
});
