import { everyPage, PAGE_ITEMS } from './list-pages.ts';
import { request } from './request.ts';
import { ApiError } from './refused-request.ts';
import type { Page, Workflow } from './wire.ts';

export const listWorkflows = (after?: string): Promise<Page<Workflow>> =>
  request('GET', '/users/me/workflows', { query: { limit: PAGE_ITEMS, after } });

/** One workflow: the API has only the list of them. */
export async function findWorkflow(id: string): Promise<Workflow> {
  const found = (await everyPage<Workflow>('/users/me/workflows')).find((each) => each.id === id);
  if (found) return found;
  throw new ApiError(404, { error: `There is no workflow ${id}.`, code: 'not_found' });
}
