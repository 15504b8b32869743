import { TetradError } from '@tetrad/types';

/** The contracts on the chain are not those that permission-config.json speaks of. */
export class PermissionContractError extends TetradError {
  override readonly name = 'PermissionContractError';
  override readonly code = 'PERMISSION_CONTRACTS';
}
