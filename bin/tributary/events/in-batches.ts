/** Requests that are under way at once. */
const CONCURRENT = 8;

/** The results of many requests, in their order. */
export async function inBatches<In, Out>(inputs: readonly In[], request: (input: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (let at = 0; at < inputs.length; at += CONCURRENT)
    results.push(...(await Promise.all(inputs.slice(at, at + CONCURRENT).map(request))));
  return results;
}
