import { ZERO_ADDRESS, parseAddress, type Address, TetradError } from '@tetrad/types';
import { z } from 'zod';
import type { PermissionAddresses, PermissionModel } from '@tetrad/node-permission-contracts';
import type { PermissionPolicy } from '../records/policy.js';

/** `permission-config.json` cannot be used; the message is the reference's where it has one. */
export class PermissionConfigError extends TetradError {
  override readonly name = 'PermissionConfigError';
  override readonly code = 'INVALID_PERMISSION_CONFIG';
}

/** The content of `permission-config.json`; the same on every node of a network. */
export interface PermissionConfig extends PermissionPolicy {
  readonly model: PermissionModel;
  readonly addresses: PermissionAddresses;
  /** The network's first admins. */
  readonly accounts: readonly Address[];
  /** Keys without effect, spelled as in the file. */
  readonly unknownKeys: readonly string[];
}

/** Largest file that is read. Units: bytes */
export const MAX_CONFIG_BYTES = 1_000_000;
const MAX_ACCOUNTS = 1_000;
const MAX_NAME_LENGTH = 256;

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')
  .transform((text) => parseAddress(text))
  .default(ZERO_ADDRESS);
const name = z.string().max(MAX_NAME_LENGTH).default('');
const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).default(0);

const schema = z.object({
  permissionModel: z.string().default(''),
  // GoQuorum reads the first spelling, its documentation has the second.
  upgrdableAddress: address,
  upgradableAddress: address,
  interfaceAddress: address,
  implAddress: address,
  nodeMgrAddress: address,
  accountMgrAddress: address,
  roleMgrAddress: address,
  voterMgrAddress: address,
  orgMgrAddress: address,
  nwAdminOrg: name,
  nwAdminRole: name,
  orgAdminRole: name,
  accounts: z.array(address).max(MAX_ACCOUNTS).default([]),
  subOrgDepth: count,
  subOrgBreadth: count,
});
type ConfigFile = z.output<typeof schema>;

const KEYS = new Map(Object.keys(schema.shape).map((key) => [key.toLowerCase(), key]));

/**
 * Reads the text of `permission-config.json`; keys in any case, as GoQuorum reads them.
 * @throws PermissionConfigError for the first broken rule, with GoQuorum's order and texts
 *   (docs/spec/permissions.md#configuration)
 */
export function parsePermissionConfig(text: string): PermissionConfig {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES)
    throw new PermissionConfigError(`permission-config.json is larger than ${MAX_CONFIG_BYTES} bytes`);
  const { known, unknownKeys } = foldKeys(readJson(text));
  const parsed = schema.safeParse(known);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new PermissionConfigError(`${issue?.path.join('.') || 'file'}: ${issue?.message}`);
  }
  const model = assertUsable(parsed.data);
  return { model, ...contentOf(parsed.data), unknownKeys };
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new PermissionConfigError(error instanceof Error ? error.message : 'not JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new PermissionConfigError('must be a JSON object');
  return { ...json };
}

function foldKeys(json: Readonly<Record<string, unknown>>) {
  const known: Record<string, unknown> = {};
  const unknownKeys: string[] = [];
  for (const [key, value] of Object.entries(json)) {
    const folded = KEYS.get(key.toLowerCase());
    if (folded === undefined) unknownKeys.push(key);
    else if (known[folded] !== undefined) throw new PermissionConfigError(`${key}: duplicate key`);
    else if (value !== null) known[folded] = value;
  }
  return { known, unknownKeys };
}

/** @returns the model */
function assertUsable(file: ConfigFile): PermissionModel {
  const model = file.permissionModel.toLowerCase();
  if (model === '')
    throw new PermissionConfigError(
      'permissions model type not passed in permission-config.json. Network cannot boot up',
    );
  if (model !== 'v1' && model !== 'v2')
    throw new PermissionConfigError(
      'invalid permissions model type passed in permission-config.json. Network cannot boot up',
    );
  if (file.accounts.length === 0)
    throw new PermissionConfigError('no accounts given in permission-config.json. Network cannot boot up');
  if (file.subOrgDepth === 0 || file.subOrgBreadth === 0)
    throw new PermissionConfigError(
      'sub org breadth depth not passed in permission-config.json. Network cannot boot up',
    );
  if (file.interfaceAddress === ZERO_ADDRESS)
    throw new PermissionConfigError('missing contract addresses in permission-config.json');
  return model;
}

function contentOf(file: ConfigFile): Omit<PermissionConfig, 'model' | 'unknownKeys'> {
  const { upgrdableAddress, upgradableAddress } = file;
  return {
    addresses: {
      upgradable: upgrdableAddress === ZERO_ADDRESS ? upgradableAddress : upgrdableAddress,
      interface: file.interfaceAddress,
      implementation: file.implAddress,
      orgManager: file.orgMgrAddress,
      roleManager: file.roleMgrAddress,
      accountManager: file.accountMgrAddress,
      voterManager: file.voterMgrAddress,
      nodeManager: file.nodeMgrAddress,
    },
    networkAdminOrg: file.nwAdminOrg,
    networkAdminRole: file.nwAdminRole,
    orgAdminRole: file.orgAdminRole,
    accounts: file.accounts,
    subOrgDepth: file.subOrgDepth,
    subOrgBreadth: file.subOrgBreadth,
  };
}
