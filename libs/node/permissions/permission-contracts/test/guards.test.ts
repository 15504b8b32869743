import { beforeAll, describe, expect, it } from '@jest/globals';
import type { FunctionFragment } from 'ethers/abi';
import { permissionAbi, type PermissionContract, type PermissionModel } from '../src/index.js';
import { GUARDIAN, NETWORK_ADMIN, PermissionChain } from './permission-chain.js';

const MODELS: readonly PermissionModel[] = ['v1', 'v2'];
const MANAGERS: readonly PermissionContract[] = [
  'orgManager',
  'roleManager',
  'accountManager',
  'voterManager',
  'nodeManager',
] as const;
/** Views of managers that only the implementation may call. */
const GUARDED_VIEWS = [
  'getUltimateParent',
  'isAdminRole',
  'isVoterRole',
  'getPendingOpDetails',
  'connectionAllowed',
];

const ZERO: Readonly<Record<string, unknown>> = { string: 'ABC', address: GUARDIAN, bool: true, bytes: '0x' };
const valuesOf = ({ inputs }: FunctionFragment) => inputs.map(({ type }) => ZERO[type] ?? 1);

function functionsOf(model: PermissionModel, contract: PermissionContract): FunctionFragment[] {
  const found: FunctionFragment[] = [];
  permissionAbi(model, contract).forEachFunction((fragment) => found.push(fragment));
  return found;
}

describe.each(MODELS)('functions that only the contracts of %s themselves may call', (model) => {
  let network: PermissionChain;
  const attempt = (contract: PermissionContract, fragment: FunctionFragment) =>
    network.callContract(NETWORK_ADMIN, contract, fragment.name, valuesOf(fragment));

  beforeAll(async () => {
    network = await PermissionChain.withOrg(model);
  });

  it.each(
    MANAGERS.flatMap((contract) =>
      functionsOf(model, contract)
        .filter(({ constant, name }) => !constant || GUARDED_VIEWS.includes(name))
        .map((fragment) => [contract, fragment.name, fragment] as const),
    ),
  )('include, in the %s, %s, which refuses a network admin', async (contract, _, fragment) => {
    expect(await attempt(contract, fragment)).toEqual({ revert: 'invalid caller' });
  });

  it.each(
    functionsOf(model, 'implementation')
      .filter(({ constant, name }) => !constant && name !== 'setMigrationPolicy')
      .map((fragment) => [fragment.name, fragment] as const),
  )('in the implementation is %s, which refuses a network admin', async (_, fragment) => {
    expect(await attempt('implementation', fragment)).toEqual({
      revert: 'can be called by interface contract only',
    });
  });
});
