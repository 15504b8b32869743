import { param, type Tolerance } from '@tetrad/rpc';
import { z } from 'zod';
import { integersInTransaction, hexForInteger } from '../tolerances.js';
import { transactionArgumentsCodec } from '../wire/send-request.js';
import { textSchema } from '../wire/text.js';

/** Shared parts of all writes of the permission module. */

export const SOURCE = 'interface document, "Node interface: permission"';
export const NETWORK_ADMIN = 'network admin account';
export const ORG_ADMIN = 'organization admin account';

/** The result of every write, once its transaction is in the pool. */
export const ACTION_COMPLETED = 'Action completed successfully';
export const messageSchema = z.string();

/** Sender of the action; gas and gas price may be given, everything else is ignored. */
export const txArgs = param('txArgs', transactionArgumentsCodec, 'from: the calling admin account');

/** The tolerances of a write with the given number of documented parameters. */
export function acceptsArguments(documented: number): readonly Tolerance[] {
  const trailing: Tolerance = {
    what: 'a trailing object of transaction arguments, read as the parameter txArgs',
    source:
      'interface document, "Transport conventions": not in the parameter lists, present in every sample',
    normalize: (params) => params,
  };
  return [trailing, integersInTransaction(documented)];
}

/** As `acceptsArguments`, with hex for the number at the position. */
export function acceptsNumberAndArguments(documented: number, index: number): readonly Tolerance[] {
  return [hexForInteger('clients that write every number in hex', index), ...acceptsArguments(documented)];
}

/** Status changes: 1 suspend or deactivate, 2 activate again, 3 denylist. The rules of each are the domain's. */
export const actionParam = param('action', z.int().min(0).max(255), 'number of the action');

export const orgIdParam = param('orgId', textSchema, 'full organization id: the hierarchy joined by dots');

/** Errors that precede every rule of a write. */
export const WRITE_ERRORS = [
  'INVALID_ACCOUNT',
  'PERMISSIONING_NOT_ENABLED',
  'PERMISSION_ACTION_FAILED',
] as const;

export const NETWORK_ADMIN_ERRORS = [...WRITE_ERRORS, 'NOT_NETWORK_ADMIN'] as const;
export const ORG_ADMIN_ERRORS = [...WRITE_ERRORS, 'NOT_ORG_ADMIN', 'ORG_NOT_FOUND'] as const;

/** With which reasons the enode URL of a new node is refused. */
export const NEW_NODE_ERRORS = ['INVALID_NODE', 'HOST_NAME_NOT_SUPPORTED', 'NODE_ALREADY_PRESENT'] as const;

/** With which reasons the enode URL of a listed node is refused. */
export const LISTED_NODE_ERRORS = [
  'INVALID_NODE',
  'HOST_NAME_NOT_SUPPORTED',
  'NODE_NOT_FOUND',
  'NODE_ORG_MISMATCH',
  'OPERATION_NOT_ALLOWED',
] as const;

/** With which reasons a listed account is refused. */
export const LISTED_ACCOUNT_ERRORS = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_ORG_MISMATCH',
  'OPERATION_NOT_ALLOWED',
] as const;
