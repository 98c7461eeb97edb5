import * as z from 'zod';

/**
 * Who shares an execution environment of the runner on AWS. `source`: the sources of a user that have no connected account; each source
 * with one has its own. `user`: all sources of a user.
 */
export const Isolation = z.enum(['source', 'user'], 'must be source or user');
export type Isolation = z.infer<typeof Isolation>;
