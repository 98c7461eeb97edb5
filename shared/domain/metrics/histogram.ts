import * as z from 'zod';

/** Numbers of values by bucket, the last one for those above all bounds, and the sum of the values. */
export const HistogramCounts = z.object({ buckets: z.array(z.number()), sum: z.number() });
type HistogramCounts = z.infer<typeof HistogramCounts>;

/** Counts values by bucket, so that it takes the same memory for any number of them. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly #buckets: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#buckets = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  get counts(): HistogramCounts {
    return { buckets: this.#buckets, sum: this.#sum };
  }

  /** A value belongs to the first bound that it does not exceed. */
  add(value: number): void {
    const bound = this.bounds.findIndex((each) => value <= each);
    this.#count(bound < 0 ? this.bounds.length : bound, 1);
    this.#sum += value;
  }

  /** Adds the counts of a histogram with the same bounds. */
  merge({ buckets, sum }: HistogramCounts): void {
    for (const [n, count] of buckets.entries()) this.#count(n, count);
    this.#sum += sum;
  }

  #count(bucket: number, count: number): void {
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + count;
  }
}
