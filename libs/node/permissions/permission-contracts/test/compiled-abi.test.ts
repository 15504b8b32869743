import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { loadArtifact } from '@tetrad/compilers';
import { Interface, type InterfaceAbi } from 'ethers/abi';
import { PERMISSION_CONTRACTS, permissionAbi, type PermissionModel } from '../src/index.js';
import { solidityName } from '../src/permission-bytecode.js';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const MODELS: readonly PermissionModel[] = ['v1', 'v2'];
const CASES = MODELS.flatMap((model) => PERMISSION_CONTRACTS.map((contract) => [model, contract] as const));

/** v1 and v2 share these managers, so in v1 they have views of v2, which GoQuorum's do not have. */
const ONLY_V2 = [
  'function checkOrgActive(string) view returns (bool)',
  'function getAccountOrgRole(address) view returns (string,string)',
  'function getAccountStatus(address) view returns (uint256)',
];

/** Functions and events with their results, without names of parameters. */
function describeAbi(abi: Interface): string[] {
  const functions = abi.fragments.filter(({ type }) => type === 'function' || type === 'event');
  return functions.map((fragment) => fragment.format('minimal')).sort();
}

describe.each(CASES)('the contracts of model %s, the %s', (model, contract) => {
  const artifact = loadArtifact(FOLDER, solidityName(model, contract));

  it('have functions, results and events of GoQuorum’s', async () => {
    const compiled = describeAbi(new Interface((await artifact).abi as InterfaceAbi));
    const expected = describeAbi(permissionAbi(model, contract));
    expect(compiled.filter((one) => model === 'v2' || !ONLY_V2.includes(one))).toEqual(expected);
  });

  it('are created with the same arguments', async () => {
    const compiled = new Interface((await artifact).abi as InterfaceAbi).deploy.inputs;
    expect(compiled.map(({ type }) => type)).toEqual(
      permissionAbi(model, contract).deploy.inputs.map(({ type }) => type),
    );
  });
});
