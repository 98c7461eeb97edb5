import * as z from 'zod';
import { isPublic, PUBLIC_STREAM_RULE } from '../../../shared/domain/event/stream.ts';
import { SUBSCRIPTION_TEXTS } from '../../../shared/domain/setting-texts.ts';
import { Count, type OptionLine } from '../command-tree.ts';

/** The option of a setting, with the description that the OpenAPI document has, as a phrase. */
export function settingOption(flags: string, text: string): OptionLine {
  return [flags, text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '').replaceAll('`', '')];
}

/* Options that several commands have. */

export const LIMIT: OptionLine = ['-n, --limit <count>', 'only the newest ones'];
export const Limited = z.object({ limit: Count.optional() });

/** An unset variable of a shell would choose everything. */
export const TagText = z.string().trim().min(1, 'must not be empty').optional();
export const WITH_TAG: OptionLine = ['--tag <tag>', 'only those with this tag'];
export const UNTAG: OptionLine = ['--untag', 'remove all tags'];

/** The tags of a request: those of `--tag`, which replace all, or none for `--untag`. */
export const tagsOf = (tags: string[] | undefined, untag = false): string[] | undefined =>
  tags ?? (untag ? [] : undefined);

export const YES: OptionLine = ['--yes', 'delete without a question'];
export const Confirmed = z.object({ yes: z.boolean().default(false) });

export const STREAM: OptionLine = ['--stream <name>', 'stream of events, default otherwise'];
export const Stream = z.string().refine(isPublic, PUBLIC_STREAM_RULE).optional();
export const FILTER = settingOption('--filter <json|@file>', SUBSCRIPTION_TEXTS.filter);
export const FOLLOW: OptionLine = ['-f, --follow', 'go on with new ones until Ctrl-C'];
export const Followed = z.object({ follow: z.boolean().default(false) });

export const NO_WAIT: OptionLine = ['--no-wait', 'do not wait for the outcome'];
export const Waiting = z.object({ wait: z.boolean().default(true) });

export const PROP_OPTIONS: readonly OptionLine[] = [
  ['--prop <name=value...>', 'value of a prop; @file reads a file, @@ is an @'],
  ['--prop-json <name=json...>', 'value of a prop as JSON'],
  ['--account <app=account...>', 'connected account of an app prop'],
];
const Lines = z.array(z.string()).optional();
export const PropInput = z.object({ prop: Lines, propJson: Lines, account: Lines });
