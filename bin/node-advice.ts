/**
 * Security fixes of Node's permission model, read on 2026-11-27 from
 * https://github.com/nodejs/security-wg/blob/main/vuln/core/202.json: for each release line, the first version without
 * a hole that was known then.
 */
const FIXED: ReadonlyMap<number, { version: string; cve: string; advisory: string }> = new Map(
  ['22.23.4', '24.22.1', '26.12.1'].map((version) => [
    parseInt(version),
    {
      version,
      cve: 'CVE-2026-106073',
      advisory: 'https://nodejs.org/en/blog/vulnerability/october-2026-security-releases',
    },
  ]),
);

/**
 * Ends of life, compared on 2026-11-27 with https://github.com/nodejs/Release/blob/main/schedule.json. These lines get
 * no fixes any more.
 */
const END_OF_LIFE: ReadonlyMap<number, string> = new Map([
  [20, '2026-04-30'],
  [21, '2024-06-01'],
  [23, '2025-06-01'],
  [25, '2026-06-01'],
]);

/** One sentence about a version of Node that separates components worse than another; undefined for others. */
export function nodeAdvice(version: string): string | undefined {
  const line = parseInt(version);
  const end = END_OF_LIFE.get(line);
  if (end !== undefined)
    return `Node ${version} gets no security fixes since ${end}. Use Node 24 or a later version with long-term support.`;
  const fixed = FIXED.get(line);
  if (!fixed || !isBefore(version, fixed.version)) return undefined;
  return `Node ${version} has a known hole in its permission model (${fixed.cve}). Use Node ${fixed.version} or later: ${fixed.advisory}`;
}

function isBefore(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((text) => text.split('.').map((part) => parseInt(part)));
  for (const [index, number] of (others ?? []).entries()) {
    const own = numbers?.[index] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}
