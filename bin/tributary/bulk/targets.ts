import { CommandFailure, unknownName, usageFailure } from '../failures.ts';
import type { Session } from '../session/command-session.ts';
import type { Api } from '../session/api.ts';
import type { BulkKind, Listed } from './bulk-kind.ts';

/** One thing that a command is about. */
export interface Target {
  id: string;
  /** The name as a person typed it, or that of an item with the tag. */
  label: string;
}

export interface BulkInput {
  names: readonly string[];
  tag?: string | undefined;
}

/** Runs the steps of a bulk command. A refusal does not stop the other steps. */
export class Attempts {
  readonly refusals: string[] = [];
  readonly #isOnly: boolean;

  /** The refusal of an only one is that of the command. */
  constructor(isOnly: boolean) {
    this.#isOnly = isOnly;
  }

  /** The result; nothing of one that is refused. Without the service, the others would fail, too. */
  async of<Result>(label: string, act: () => Promise<Result>): Promise<Result[]> {
    try {
      return [await act()];
    } catch (error) {
      if (this.#isOnly || !(error instanceof CommandFailure) || error.exitCode === 3) throw error;
      this.refusals.push(`${label}: ${error.message}`);
      return [];
    }
  }
}

/** The things that are named or have the tag. Prints those that have the tag. */
export async function targetsOf<Item extends Listed>(
  { output }: Pick<Session, 'output'>,
  api: Api,
  { kind, input: { names, tag }, attempts }: { kind: BulkKind<Item>; input: BulkInput; attempts: Attempts },
): Promise<Target[]> {
  if (names.length > 0 === (tag !== undefined))
    throw usageFailure(`Name the ${kind.noun}s, or choose them by --tag, not both.`);
  if (tag !== undefined) {
    const targets = await tagged(api, kind, tag);
    const labels = targets.map(({ label }) => label);
    if (output.hasColumns) output.note(`${labels.length} with the tag ${tag}: ${labels.join(', ')}.`);
    return targets;
  }
  const targets: Target[] = [];
  for (const label of new Set(names))
    targets.push(...(await attempts.of(label, async () => ({ label, id: await kind.named(api, label) }))));
  return targets;
}

async function tagged<Item extends Listed>(
  api: Api,
  { noun, list, schema, labelOf }: BulkKind<Item>,
  tag: string,
): Promise<Target[]> {
  const items = await api.list(list, schema, { query: { tag } });
  // A service of an earlier release does not know the filter, and lists everything.
  const found = items.filter(({ tags = [] }) => tags.includes(tag));
  if (found.length === 0) throw unknownName(`No ${noun} has the tag ${tag}.`);
  return found.map((item) => ({ id: item.id, label: labelOf(item) }));
}
