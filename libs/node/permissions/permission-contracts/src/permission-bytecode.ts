import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TetradError, isHex, type Hex } from '@tetrad/types';
import { z } from 'zod';
import type { PermissionContract, PermissionModel } from './permission-abi.js';

/** The permission contracts are not compiled, or the artifacts are not next to the program. */
export class PermissionBytecodeError extends TetradError {
  override readonly name = 'PermissionBytecodeError';
  override readonly code = 'PERMISSION_BYTECODE_UNAVAILABLE';
}

const FOLDER = join('libs', 'node', 'permissions', 'permission-contracts', 'artifacts');
const SHARED: Readonly<Partial<Record<PermissionContract, string>>> = {
  upgradable: 'PermissionsUpgradable',
  orgManager: 'OrgManager',
  accountManager: 'AccountManager',
  voterManager: 'VoterManager',
};
const OF_MODEL: Readonly<Partial<Record<PermissionContract, string>>> = {
  interface: 'PermissionsInterface',
  implementation: 'PermissionsImplementation',
  roleManager: 'RoleManager',
  nodeManager: 'NodeManager',
};

const artifactSchema = z.object({ bytecode: z.string().refine(isHex) });

/**
 * Code that creates the contract, without arguments.
 * @throws PermissionBytecodeError
 */
export async function permissionBytecode(model: PermissionModel, contract: PermissionContract): Promise<Hex> {
  const name = solidityName(model, contract);
  const path = join(artifactFolder(), `${name}.json`);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) throw new PermissionBytecodeError(`contract ${name} not found; run the build`);
  return artifactSchema.parse(JSON.parse(text)).bytecode;
}

/** Name of the contract in `contracts/`. */
export function solidityName(model: PermissionModel, contract: PermissionContract): string {
  return SHARED[contract] ?? `${OF_MODEL[contract]}${model.toUpperCase()}`;
}

/** The nearest one above this module, which is in `src`, in `dist` or part of a bundle. */
function artifactFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, FOLDER))) return join(folder, FOLDER);
    if (dirname(folder) === folder)
      throw new PermissionBytecodeError(`there is no ${FOLDER} above ${import.meta.dirname}; run the build`);
  }
}
