import * as z from 'zod';

/** Ids are whole here, since the node is asked by them; views cut what they show. */
const id = z.string();
const address = z.string().regex(/^0x[0-9a-f]{40}$/i);
const status = z.number().int();

const orgSchema = z.object({
  fullOrgId: id,
  parentOrgId: id,
  ultimateParent: id,
  level: z.number().int(),
  subOrgList: z.array(id).nullable(),
  status,
});
export type Org = z.output<typeof orgSchema>;

const accountSchema = z.object({ orgId: id, roleId: id, acctId: address, isOrgAdmin: z.boolean(), status });
export type PermittedAccount = z.output<typeof accountSchema>;

const nodeSchema = z.object({ orgId: id, url: z.string(), status });
export type PermittedNode = z.output<typeof nodeSchema>;

const roleSchema = z.object({
  orgId: id,
  roleId: id,
  isVoter: z.boolean(),
  isAdmin: z.boolean(),
  access: z.number().int(),
  active: z.boolean(),
});
export type Role = z.output<typeof roleSchema>;

export const orgsSchema = z.array(orgSchema);
export const accountsSchema = z.array(accountSchema);
export const permittedNodesSchema = z.array(nodeSchema);

/** What belongs to one organization; the node has null for an empty list. */
export const orgDetailsSchema = z.object({
  nodeList: permittedNodesSchema.nullable().transform((list) => list ?? []),
  roleList: z
    .array(roleSchema)
    .nullable()
    .transform((list) => list ?? []),
  acctList: accountsSchema.nullable().transform((list) => list ?? []),
});
export type OrgDetails = z.output<typeof orgDetailsSchema>;

export const explanationSchema = z.object({
  block: z.number().int(),
  isAllowed: z.boolean(),
  rule: z.string(),
  reason: z.string(),
  remedy: z.string().optional(),
  records: z.object({
    account: accountSchema.optional(),
    org: orgSchema.optional(),
    masterOrg: orgSchema.optional(),
    role: roleSchema.optional(),
    nodes: permittedNodesSchema.optional(),
  }),
});
export type Explanation = z.output<typeof explanationSchema>;
