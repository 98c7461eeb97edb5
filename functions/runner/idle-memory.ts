const MB = 1024 * 1024;
const MIN_MB = 128;
/** More would be for sources that run less often than a start costs. */
const MAX_MB = 512;
const MEMORY_FRACTION = 1 / 32;

/** Memory that all idle children together may keep, by the memory of the machine or of its container. */
export const idleMemoryMb = (memoryBytes: number): number =>
  Math.min(MAX_MB, Math.max(MIN_MB, Math.floor((memoryBytes / MB) * MEMORY_FRACTION)));
