import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandTree, OptionLine } from '../command-tree.ts';
import { Confirmed, TagText, YES } from '../commands/shared-options.ts';
import { refusedFailure, usageFailure } from '../failures.ts';
import { confirmDelete } from '../input/confirm.ts';
import type { Session } from '../session/command-session.ts';
import type { BulkKind, Listed } from './bulk-kind.ts';
import { Attempts, type BulkInput, type Target, targetsOf } from './targets.ts';

const Input = z.object({ names: z.array(z.string()).default([]), tag: TagText });

/** `enable`, `disable` and `delete` of sources or webhooks. */
export function addBulkCommands<Item extends Listed>(
  { leaf }: CommandTree,
  group: Command,
  kind: BulkKind<Item>,
): void {
  const byTag: OptionLine = ['--tag <tag>', `all ${kind.noun}s with this tag, which are printed`];
  for (const word of ['enable', 'disable'] as const)
    leaf(group, {
      usage: `${word} [names...]`,
      options: [byTag],
      input: Input,
      ...kind.words[word],
      run: (session, input) => switchEach(session, kind, { input, active: word === 'enable' }),
    });
  leaf(group, {
    usage: 'delete [names...]',
    options: [byTag, YES],
    input: Input.extend(Confirmed.shape),
    ...kind.words.delete,
    run: (session, input) => deleteEach(session, kind, input),
  });
}

const isOnly = ({ names, tag }: BulkInput): boolean => tag === undefined && names.length === 1;

async function switchEach<Item extends Listed>(
  session: Session,
  kind: BulkKind<Item>,
  { input, active }: { input: BulkInput; active: boolean },
): Promise<void> {
  const api = await session.api();
  const attempts = new Attempts(isOnly(input));
  const targets = await targetsOf(session, api, { kind, input, attempts });
  const changed: Item[] = [];
  try {
    for (const { id, label } of targets)
      changed.push(
        ...(await attempts.of(label, () => api.send('PUT', kind.pathOf(id), kind.schema, { body: { active } }))),
      );
  } finally {
    const [first] = changed;
    if (first !== undefined && isOnly(input)) await kind.show(session, first);
    else if (first !== undefined) session.output.list(changed, kind.columns);
    for (const item of changed) kind.noteOn?.(session, item);
  }
  failFor(attempts, { noun: kind.noun, done: changed.length, word: active ? 'enabled' : 'disabled' });
}

async function deleteEach<Item extends Listed>(
  session: Session,
  kind: BulkKind<Item>,
  input: BulkInput & { yes: boolean },
): Promise<void> {
  const { output } = session;
  const api = await session.api();
  const attempts = new Attempts(isOnly(input));
  const targets = await targetsOf(session, api, { kind, input, attempts });
  if (input.tag !== undefined && !input.yes && !session.isInteractive)
    throw usageFailure('Without a terminal, delete by a tag needs --yes.');
  if (targets.length > 0) await confirmDelete(session, questionOf(kind.noun, targets), input.yes);
  const deleted: { id: string; deleted: true }[] = [];
  try {
    for (const { id, label } of targets)
      await attempts.of(label, async () => {
        await api.delete(kind.pathOf(id));
        deleted.push({ id, deleted: true });
      });
  } finally {
    const [first] = deleted;
    if (first && isOnly(input)) output.deleted(first.id);
    else if (first) output.list(deleted, [{ heading: 'DELETED', of: ({ id }) => id }]);
  }
  failFor(attempts, { noun: kind.noun, done: deleted.length, word: 'deleted' });
}

function questionOf(noun: string, targets: readonly Target[]): string {
  const [only, ...others] = targets;
  const labels = targets.map(({ label }) => label).join(', ');
  return only && others.length === 0 ? `the ${noun} ${only.label}` : `${targets.length} ${noun}s (${labels})`;
}

function failFor({ refusals }: Attempts, { noun, done, word }: { noun: string; done: number; word: string }): void {
  if (refusals.length === 0) return;
  const head = `${refusals.length} of ${done + refusals.length} ${noun}s were not ${word}:`;
  throw refusedFailure([head, ...refusals.map((line) => `  ${line}`)].join('\n'), 'some_refused');
}
