import * as z from 'zod';
import { OAuthClientId } from '../id.ts';
import { SealedFields } from '../user/sealed-fields.ts';
import { ProviderEntry } from './provider.ts';
import { providerAddressProblem } from './provider-address.ts';

const ProviderAddress = z.string().superRefine((text, context) => {
  const problem = providerAddressProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

const { shape } = ProviderEntry;

/** Settings of the operator that replace facts of a provider's entry, or describe a provider without an entry. */
export const ProviderSettings = z
  .strictObject({
    authorization: ProviderAddress,
    token: ProviderAddress,
    revocation: ProviderAddress,
    identity: ProviderAddress,
    issuer: z.string().min(1),
    /** Asked for; they replace all scopes of the entry. */
    scopes: shape.scopes,
    scopeSeparator: shape.scopeSeparator,
    /** Values of placeholders, and parameters of the authorization address. */
    parameters: z.record(z.string().regex(/^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/), z.string().max(1_024)),
    tokenAuth: shape.tokenAuth,
    pkce: shape.pkce,
    uid: shape.uid.unwrap(),
    fields: shape.fields.unwrap(),
    answer: shape.answer.unwrap(),
    lifetime: z.int().positive(),
    quirks: shape.quirks,
  })
  .partial();
export type ProviderSettings = z.infer<typeof ProviderSettings>;

/** A client that the operator registered at a provider. Users connect accounts of its apps by signing in there. */
export const OAuthClient = z.object({
  id: OAuthClientId,
  apps: z.array(z.string()).min(1),
  /** Name of a built-in entry. */
  provider: z.string().optional(),
  settings: ProviderSettings,
  clientId: z.string().min(1),
  /** `client_secret`, sealed so that only the function that renews can decrypt it. Absent for a public client. */
  secret: SealedFields.optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number().int(),
});
export type OAuthClient = z.infer<typeof OAuthClient>;
