import * as z from 'zod';
import { SealedFields } from '../user/sealed-fields.ts';

/** A signing secret as stored: the field `secret`, encrypted. Earlier releases stored it as plain text. */
export const StoredSecret = z.union([SealedFields, z.string()]);
export type StoredSecret = z.infer<typeof StoredSecret>;
