import { readFileSync } from 'node:fs';

const MAX = 4_096;
/** Without a limit that can be read: the common one of processes. */
const USUAL_DESCRIPTORS = 1_024;

/**
 * Connections of one listener. Both listeners leave half of the process's descriptors to the store, to webhooks and to
 * components.
 */
export function maxConnections(descriptors = maxDescriptors()): number {
  return Math.max(16, Math.min(MAX, Math.floor(descriptors / 4)));
}

/** Linux only. Node raises the soft limit to the hard one at its start. */
function maxDescriptors(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft) || USUAL_DESCRIPTORS;
  } catch {
    return USUAL_DESCRIPTORS;
  }
}
