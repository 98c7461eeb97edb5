/** Waits until all have ended, then throws the first error: nothing goes on behind the caller's back. */
export async function settleAll(works: readonly Promise<void>[]): Promise<void> {
  if (works.length <= 1) return works[0];
  const failed = (await Promise.allSettled(works)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
