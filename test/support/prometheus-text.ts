import parse from 'parse-prometheus-text-format';
import * as z from 'zod';

type Labels = Readonly<Record<string, string>>;

const Family = z.object({ name: z.string(), type: z.enum(['COUNTER', 'GAUGE', 'HISTOGRAM']), help: z.string() });
const Samples = z.object({
  name: z.string(),
  metrics: z.array(z.object({ labels: z.record(z.string(), z.string()).default({}), value: z.coerce.number() })),
});

interface Sample {
  name: string;
  labels: Labels;
  value: number;
}

/** A page in Prometheus's text format, read by the parser of another project. */
export class PrometheusPage {
  readonly families: readonly z.infer<typeof Family>[];
  readonly samples: readonly Sample[];

  constructor(text: string) {
    this.families = z.array(Family).parse(parse(text));
    // The parser drops the labels of a histogram unless it takes its lines for untyped ones.
    const untyped = parse(text.replaceAll(/^# .*$/gm, ''));
    this.samples = z
      .array(Samples)
      .parse(untyped)
      .flatMap(({ name, metrics }) => metrics.map((each) => ({ name, ...each })));
  }

  /** The samples of a metric. Those of a histogram have names of their own. */
  samplesOf({ name, type }: z.infer<typeof Family>): Sample[] {
    const names = type === 'HISTOGRAM' ? ['bucket', 'sum', 'count'].map((end) => `${name}_${end}`) : [name];
    return this.samples.filter((sample) => names.includes(sample.name));
  }

  /** The sum of the values with these labels. */
  value(name: string, labels: Labels = {}): number {
    const found = this.#find(name, labels);
    if (found.length === 0) throw new Error(`The page has no ${name} with ${JSON.stringify(labels)}.`);
    return found.reduce((sum, { value }) => sum + value, 0);
  }

  /** One histogram. The buckets are by their bound in the order of the page. */
  histogram(name: string, labels: Labels = {}): { buckets: Map<string, number>; count: number; sum: number } {
    const buckets = this.#find(`${name}_bucket`, labels);
    return {
      buckets: new Map(buckets.map(({ labels: { le = '' }, value }) => [le, value])),
      count: this.value(`${name}_count`, labels),
      sum: this.value(`${name}_sum`, labels),
    };
  }

  /** Each name with its labels, as often as the page has it. */
  get series(): string[] {
    return this.samples.map(({ name, labels }) => `${name} ${JSON.stringify(Object.entries(labels).sort())}`);
  }

  #find(name: string, labels: Labels): Sample[] {
    const wanted = Object.entries(labels);
    return this.samples.filter(
      (each) => each.name === name && wanted.every(([label, value]) => each.labels[label] === value),
    );
  }
}
