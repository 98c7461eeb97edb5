import { type UserId, WorkflowId } from '../../domain/id.ts';
import { Workflow } from '../../domain/subscription/workflow.ts';
import { changeItem } from '../table/change-item.ts';
import { allWorkflowsKey, workflowKey, workflowListKey, WORKFLOWS_PARTITION } from '../table/keys.ts';
import { type Page, type PageRequest, pointedIds, readFilteredPage } from '../table/page.ts';
import { readItems, readList, readOne } from '../table/read-items.ts';
import {
  deleteItem,
  updateItem,
  batchGet,
  getItem,
  IS_NEW,
  queryAll,
  type TableOptions,
  transact,
  wholePartition,
} from '../table/table-client.ts';

export type WorkflowStore = ReturnType<typeof workflowStore>;

export function workflowStore(table: TableOptions) {
  const { tableName: TableName } = table;

  return {
    /** Undefined also for a workflow in deletion. */
    async find(id: WorkflowId): Promise<Workflow | undefined> {
      const Item = await getItem(table, workflowKey(id));
      const workflow = Item && readOne(id, () => Workflow.parse(Item));
      return workflow?.deleting ? undefined : workflow;
    },

    /** False when there is a workflow of this id. */
    async create(workflow: Workflow): Promise<boolean> {
      const { ok } = await transact(table, [
        { Put: { TableName, Item: { ...workflowKey(workflow.id), ...workflow }, ...IS_NEW } },
        { Put: { TableName, Item: allWorkflowsKey(workflow.id) } },
        { Put: { TableName, Item: workflowListKey(workflow.ownerId, workflow.id) } },
      ]);
      return ok;
    },

    /** Workflows of one user, newest first. */
    listOf: (ownerId: UserId, request: PageRequest): Promise<Page<Workflow>> =>
      readFilteredPage({
        scope: { list: 'workflows', ownerId },
        request,
        ids: () => pointedIds(table, { list: 'workflows', ownerId }),
        read: async (ids) => {
          const keys = ids.map((id) => workflowKey(WorkflowId.parse(id)));
          return readList(table, await batchGet(table, keys), (item) => Workflow.parse(item));
        },
        filter: ({ deleting }) => !deleting,
      }),

    async ids(ownerId: UserId): Promise<WorkflowId[]> {
      const ids = await pointedIds(table, { list: 'workflows', ownerId });
      return ids.map((id) => WorkflowId.parse(id));
    },

    /** Workflows of all users, oldest first, for the operator. */
    async list(): Promise<Workflow[]> {
      const pointers = await queryAll(table, wholePartition(WORKFLOWS_PARTITION));
      const keys = pointers.map(({ sk }) => workflowKey(WorkflowId.parse(sk)));
      const found = readItems(table, await batchGet(table, keys), (item) => Workflow.parse(item));
      return found.filter(({ deleting }) => !deleting).sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    /** Suspends the deliveries to a workflow from this time on, or resumes them without a time. */
    async setSuspension(id: WorkflowId, suspendedAt: number | undefined): Promise<void> {
      await changeItem(table, workflowKey(id), { change: { suspendedAt } });
    },

    /** Makes the workflow invisible to all readers; the caller queues its purge. */
    async tombstone({ id, ownerId }: Pick<Workflow, 'id' | 'ownerId'>): Promise<void> {
      await updateItem(table, {
        Key: workflowKey(id),
        UpdateExpression: 'SET deleting = :yes',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deleting)',
        ExpressionAttributeValues: { ':yes': true },
      });
      await deleteItem(table, { Key: allWorkflowsKey(id) });
      await deleteItem(table, { Key: workflowListKey(ownerId, id) });
    },

    /** Removes the tombstone, after everything that the workflow owned. */
    async remove(id: WorkflowId): Promise<void> {
      await deleteItem(table, { Key: workflowKey(id) });
    },
  };
}
