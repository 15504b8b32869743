import { ACCOUNT, ENODE, RECIPIENT } from '../examples.js';

/** Values that the examples of the permission methods share. */
export const ORG = 'ACME';
export const SUB_ORG = 'ACME.TREASURY';
export const ROLE = 'TELLER';
export const MEMBER = RECIPIENT;
export const NODE = ENODE;
export const BY_ADMIN = { from: ACCOUNT };

export const ACCOUNT_ENTRY = { acctId: RECIPIENT, isOrgAdmin: false, orgId: ORG, roleId: ROLE, status: 2 };
export const NODE_ENTRY = { orgId: ORG, status: 2, url: ENODE };
export const ORG_ENTRY = {
  fullOrgId: ORG,
  level: 1,
  orgId: ORG,
  parentOrgId: '',
  status: 2,
  subOrgList: [SUB_ORG],
  ultimateParent: ORG,
};
export const ROLE_ENTRY = {
  access: 3,
  active: true,
  isAdmin: false,
  isVoter: false,
  orgId: ORG,
  roleId: ROLE,
};
