/** Epoch ms with fractions: a latency of ten milliseconds needs more than whole ones. */
export const epochMs = (): number => performance.timeOrigin + performance.now();
