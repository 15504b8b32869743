import { addressCodec } from '@tetrad/rpc';
import { z } from 'zod';

const smallNumber = z.int().min(0).max(255);

/** An account and its role in an organization. */
export const accountCodec = z.object({
  orgId: z.string(),
  roleId: z.string(),
  acctId: addressCodec,
  isOrgAdmin: z.boolean(),
  status: smallNumber,
});

/** A node and the organization it belongs to. */
export const nodeCodec = z.object({ orgId: z.string(), url: z.string(), status: smallNumber });

/** An organization in its place in the hierarchy. */
export const orgCodec = z.object({
  orgId: z.string(),
  fullOrgId: z.string(),
  parentOrgId: z.string(),
  ultimateParent: z.string(),
  level: z.int().nonnegative(),
  subOrgList: z.array(z.string()).nullable(),
  status: smallNumber,
});

/** A role of an organization and what its accounts may do. */
export const roleCodec = z.object({
  orgId: z.string(),
  roleId: z.string(),
  isVoter: z.boolean(),
  isAdmin: z.boolean(),
  access: smallNumber,
  active: z.boolean(),
});

export type PermissionAccountView = z.output<typeof accountCodec>;
export type PermissionNodeView = z.output<typeof nodeCodec>;
export type PermissionOrgView = z.output<typeof orgCodec>;
export type PermissionRoleView = z.output<typeof roleCodec>;
