import type { HookFailure, PendingRevision, RevisionOutcome, Source, SourceState } from '../../domain/source/source.ts';
import type { HookName } from '../../domain/component/source-traits.ts';
import { sourceKey } from '../table/keys.ts';
import { storedConfiguration } from './source-item.ts';
import { updateItem, type TableOptions } from '../table/table-client.ts';

/**
 * Starts and ends pending revisions with conditional writes, so that ending one twice changes nothing. A revision that
 * started before its source was deleted still ends: the tombstone then has the configuration that `deactivate` needs.
 */
export function sourceRevisions(table: TableOptions) {
  return {
    /**
     * False when the revision is no longer pending, or its source was deleted before its first hook: then no hook may
     * run.
     */
    async startHook({ id }: Source, { revision }: PendingRevision, hook: HookName): Promise<boolean> {
      return updateItem(table, {
        Key: sourceKey(id),
        UpdateExpression: 'SET #pending.#hook = :hook',
        ConditionExpression:
          '#pending.#revision = :revision AND (#state <> :deleting OR attribute_exists(#pending.#hook))',
        ExpressionAttributeNames: {
          '#state': 'state',
          '#pending': 'pending',
          '#revision': 'revision',
          '#hook': 'hook',
        },
        ExpressionAttributeValues: { ':deleting': 'deleting', ':revision': revision, ':hook': hook },
      });
    },

    /**
     * Makes the pending revision the current one, also of a deleted source. False when the revision is no longer
     * pending, or the source was purged.
     */
    async swap(source: Source, pending: PendingRevision, timerAnchor?: number): Promise<boolean> {
      return settle(source, pending, {
        state: pending.configuration.active ? 'active' : 'inactive',
        outcome: { revision: pending.revision, ok: true },
        timerAnchor,
      });
    },

    /**
     * Ends the pending revision after a failed hook: a new source becomes `failed`, any other is swapped and becomes
     * inactive. Returns false like {@link swap}.
     */
    async fail(source: Source, pending: PendingRevision, failure: HookFailure): Promise<boolean> {
      const isNew = source.state === 'creating' || source.state === 'activating';
      return settle(source, pending, {
        state: isNew ? 'failed' : 'inactive',
        outcome: { revision: pending.revision, ok: false, ...failure },
      });
    },
  };

  async function settle(
    source: Source,
    pending: PendingRevision,
    { state, outcome, timerAnchor }: { state: SourceState; outcome: RevisionOutcome; timerAnchor?: number | undefined },
  ): Promise<boolean> {
    const configuration = { ...pending.configuration, active: state === 'active' };
    const values = {
      generation: source.generation + 1,
      configuration: storedConfiguration(configuration),
      traits: pending.traits,
      outcome,
    };
    const isSettled = await write(
      { ...values, state, ...(timerAnchor === undefined ? {} : { timerAnchor }) },
      { ifState: '<>', remove: timerAnchor === undefined ? ['pending', 'timerAnchor'] : ['pending'] },
    );
    return isSettled || write(values, { ifState: '=', remove: ['pending'] });

    /** Writes on condition that the state is (`=`) or is not (`<>`) `deleting`. */
    async function write(
      set: Record<string, unknown>,
      { ifState, remove }: { ifState: '=' | '<>'; remove: string[] },
    ): Promise<boolean> {
      const names = Object.keys(set);
      return updateItem(table, {
        Key: sourceKey(source.id),
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} REMOVE ${remove.map((name) => `#${name}`).join(', ')}`,
        ConditionExpression: `#state ${ifState} :deleting AND #pending.#revision = :revision`,
        ExpressionAttributeNames: Object.fromEntries(
          ['state', 'revision', ...names, ...remove].map((name) => [`#${name}`, name]),
        ),
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
          ':deleting': 'deleting',
          ':revision': pending.revision,
        },
      });
    }
  }
}
