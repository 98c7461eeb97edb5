import type * as z from 'zod';
import type { CommandWords } from '../command-tree.ts';
import type { Column } from '../output/text-table.ts';
import type { Api } from '../session/api.ts';
import type { Session } from '../session/command-session.ts';

/** The members of a source or webhook that bulk commands read. */
export interface Listed {
  id: string;
  tags?: string[] | undefined;
}

type Words = Pick<CommandWords, 'about' | 'examples'>;

/** Sources or webhooks, which are enabled, disabled and deleted by name or by tag. */
export interface BulkKind<Item extends Listed> {
  noun: string;
  /** The path of the list. */
  list: string;
  /** The path of one. */
  pathOf(id: string): string;
  schema: z.ZodType<Item>;
  named(api: Api, text: string): Promise<string>;
  labelOf(item: Item): string;
  columns: readonly Column<Item>[];
  /** Prints one, as `get` does. */
  show(session: Session, item: Item): Promise<void> | void;
  /** Something that a person should know after a change. */
  noteOn?(session: Session, item: Item): void;
  words: Readonly<Record<'enable' | 'disable' | 'delete', Words>>;
}
