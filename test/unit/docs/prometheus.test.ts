import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { tableIn } from '../../support/doc-table.ts';

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Tributary[A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+m$/)
            .optional(),
          labels: z.object({ severity: z.enum(['critical', 'warning', 'info']) }),
          annotations: z.object({ summary: z.string() }),
        }),
      ),
    }),
  ),
});
const Dashboard = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string() })),
    }),
  ),
});

const rules = Rules.parse(parse(readFileSync('docs/prometheus/alerts.yml', 'utf8'))).groups.flatMap(
  (group) => group.rules,
);
const { panels } = Dashboard.parse(JSON.parse(readFileSync('docs/prometheus/dashboard.json', 'utf8')));
/** Grafana puts its interval in. */
const shown = panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '5m')] as const),
);

const documented = new Map(
  tableIn('docs/metrics.md', 'The metrics').map(([name = '', type = '', labels = '']) => [
    name.replaceAll('`', ''),
    { type, labels },
  ]),
);

/** The text of all nodes of a kind in an expression, by the parser of Prometheus's own editor. */
function nodesOf(expression: string, kinds: readonly string[]): string[] {
  const found: string[] = [];
  parser.parse(expression).iterate({
    enter({ name, type, from, to }) {
      expect(type.isError, `${expression} is not PromQL at ${from}`).toBe(false);
      if (kinds.includes(name)) found.push(expression.slice(from, to));
    },
  });
  return found;
}

describe.each([...rules.map(({ alert, expr }) => [alert, expr] as const), ...shown])('%s: %s', (_, expression) => {
  const names = nodesOf(expression, ['Identifier']);

  test('is PromQL over metrics of the page', () => {
    expect(names).not.toEqual([]);
    for (const name of names) {
      const base = name.replace(/_bucket$/, '');
      expect(documented.get(base)?.type, name).toMatch(base === name ? /^(?:counter|gauge)$/ : /^histogram$/);
    }
  });

  test('compares labels and values that the metrics have', () => {
    const labels = names.flatMap((name) => documented.get(name.replace(/_bucket$/, ''))?.labels ?? '').join(' ');
    for (const matcher of nodesOf(expression, ['UnquotedLabelMatcher', 'QuotedLabelMatcher'])) {
      const [, label, value] = /^(\w+)="(\w+)"$/.exec(matcher) ?? expect.fail(matcher);
      expect(labels).toContain(`\`${label}\``);
      if (label !== 'queue' && value !== '5xx') expect(labels).toContain(`\`${value}\``);
    }
  });
});

test('every metric that tells of work is on the dashboard', () => {
  const names = shown.flatMap(([, expression]) => nodesOf(expression, ['Identifier']));
  const used = new Set(names.map((name) => name.replace(/_bucket$/, '')));
  expect([...documented.keys()].filter((name) => !used.has(name))).toEqual([]);
});

test('panels of the dashboard have numbers of their own and do not overlap', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
});
