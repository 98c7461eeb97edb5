import * as z from 'zod';

/**
 * The sources that share an execution environment of the runner on AWS. `source`: those of a user that have no
 * connected account; each source with one has its own. `user`: all sources of a user.
 */
export const Isolation = z.enum(['source', 'user'], 'must be source or user');
export type Isolation = z.infer<typeof Isolation>;
