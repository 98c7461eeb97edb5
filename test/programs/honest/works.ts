import { buildWorks } from './builds.ts';
import { listenerWorks } from './listener.ts';
import { livePageWorks } from './live-pages.ts';
import { requestWorks } from './requests.ts';
import type { Size, Work } from './work.ts';

export const works = (size: Size): Work[] => [
  ...requestWorks(size),
  ...listenerWorks(size),
  ...buildWorks,
  ...livePageWorks(size),
];
