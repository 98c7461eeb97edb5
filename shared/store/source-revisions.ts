import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import type { PendingRevision, RevisionOutcome, Source, SourceState } from '../domain/source.ts';
import { sourceKey } from './keys.ts';
import { storedConfiguration } from './source-item.ts';
import { conditionally, type TableOptions } from './table-client.ts';

/** What ends a pending revision, in one conditional write: whoever carries it out a second time changes nothing. */
export function sourceRevisions({ dynamo, tableName: TableName }: TableOptions) {
  return {
    /** The pending revision becomes what the source is. False when it is no longer pending, or the source is gone. */
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
    async fail(source: Source, pending: PendingRevision, message: string): Promise<boolean> {
      const isNew = source.state === 'creating' || source.state === 'activating';
      return settle(source, pending, {
        state: isNew ? 'failed' : 'inactive',
        outcome: { revision: pending.revision, ok: false, message },
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
    }: { state: SourceState; outcome: z.infer<typeof RevisionOutcome>; timerAnchor?: number | undefined },
  ): Promise<boolean> {
    const configuration = { ...pending.configuration, active: state === 'active' };
    const anchored = timerAnchor === undefined ? {} : { ':timerAnchor': timerAnchor };
    const written = await conditionally(() =>
      dynamo.send(
        new UpdateCommand({
          TableName,
          Key: sourceKey(source.id),
          UpdateExpression:
            'SET #state = :state, generation = :generation, #configuration = :configuration, traits = :traits, #outcome = :outcome' +
            (timerAnchor === undefined
              ? ' REMOVE #pending, timerAnchor'
              : ', timerAnchor = :timerAnchor REMOVE #pending'),
          ConditionExpression: '#state <> :deleting AND #pending.#revision = :revision',
          ExpressionAttributeNames: {
            '#state': 'state',
            '#configuration': 'configuration',
            '#outcome': 'outcome',
            '#pending': 'pending',
            '#revision': 'revision',
          },
          ExpressionAttributeValues: {
            ':state': state,
            ':generation': source.generation + 1,
            ':configuration': storedConfiguration(configuration),
            ':traits': pending.traits,
            ':outcome': outcome,
            ':deleting': 'deleting',
            ':revision': pending.revision,
            ...anchored,
          },
        }),
      ),
    );
    return written !== undefined;
  }
}
