import { TetradError } from '@tetrad/types';

/** The contracts on the chain are not those of permission-config.json. */
export class PermissionContractError extends TetradError {
  override readonly name = 'PermissionContractError';
  override readonly code = 'PERMISSION_CONTRACTS';
}
