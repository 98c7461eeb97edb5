import * as z from 'zod';
import type { Disk } from './disk/disk.ts';
import type { Interpretation } from './template/interpret.ts';
import { resourceTypes } from './template/resource-types.ts';
import { TemplateError } from './template/template-error.ts';

const KEY = 'm/data-owners';
/** Types of resources by logical id. */
const Owners = z.record(z.string(), z.string());

/**
 * Refuses to start if a resource with data on disk has left the template or has a new logical id: logical ids name the
 * data, so the data would be out of reach.
 */
export async function claimData(disk: Disk, stack: Interpretation): Promise<void> {
  const written = disk.get(KEY);
  const known = written === undefined ? {} : Owners.parse(JSON.parse(written));
  const present = stack.resources.filter(({ type }) => resourceTypes[type]?.holdsData);
  for (const [logicalId, type] of Object.entries(known)) {
    if (present.some((resource) => resource.logicalId === logicalId && resource.type === type)) continue;
    throw new TemplateError(
      `The data directory holds the data of ${logicalId} (${type}), which the template no longer has.`,
    );
  }
  disk.put(KEY, JSON.stringify(Object.fromEntries(present.map(({ logicalId, type }) => [logicalId, type]))));
  await disk.commit();
}
