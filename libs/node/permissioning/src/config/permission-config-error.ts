import { TetradError } from '@tetrad/types';

/** `permission-config.json` cannot be used; the message is the reference's where it has one. */
export class PermissionConfigError extends TetradError {
  override readonly name = 'PermissionConfigError';
  override readonly code = 'INVALID_PERMISSION_CONFIG';
}
