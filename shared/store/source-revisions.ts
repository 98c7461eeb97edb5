import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type {
  HookFailure,
  HookName,
  PendingRevision,
  RevisionOutcome,
  Source,
  SourceState,
} from '../domain/source.ts';
import { sourceKey } from './keys.ts';
import { storedConfiguration } from './source-item.ts';
import { conditionally, type TableOptions } from './table-client.ts';

/**
 * How a pending revision is begun and ended, each in a conditional write: whoever ends it a second time changes nothing. One that has begun
 * when its source is deleted ends all the same: the tombstone has to tell what is to be taken down.
 */
export function sourceRevisions({ dynamo, tableName: TableName }: TableOptions) {
  return {
    /** False when it is no longer pending, and when its source was deleted before the first of its hooks began: then none may. */
    async startHook({ id }: Source, { revision }: PendingRevision, hook: HookName): Promise<boolean> {
      const written = await conditionally(() =>
        dynamo.send(
          new UpdateCommand({
            TableName,
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
          }),
        ),
      );
      return written !== undefined;
    },

    /**
     * The pending revision becomes what the source is, or was until it was deleted. False when it is no longer pending, or the source is
     * gone.
     */
    async swap(source: Source, pending: PendingRevision, timerAnchor?: number): Promise<boolean> {
      return settle(source, pending, {
        state: pending.configuration.active ? 'active' : 'inactive',
        outcome: { revision: pending.revision, ok: true },
        timerAnchor,
      });
    },

    /**
     * A hook of the pending revision failed: a source that never was active has `failed`, another one is swapped all the same and
     * inactive. False as for {@link swap}.
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
    {
      state,
      outcome,
      timerAnchor,
    }: { state: SourceState; outcome: RevisionOutcome; timerAnchor?: number | undefined },
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

    /** While the source's state is (not) `deleting`. */
    async function write(
      set: Record<string, unknown>,
      { ifState, remove }: { ifState: '=' | '<>'; remove: string[] },
    ): Promise<boolean> {
      const names = Object.keys(set);
      const written = await conditionally(() =>
        dynamo.send(
          new UpdateCommand({
            TableName,
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
          }),
        ),
      );
      return written !== undefined;
    }
  }
}
