import {
  defineMethod,
  param,
  type MethodDefinition,
  type ParameterDefinition,
  type Tolerance,
} from '@tetrad/rpc';
import { z } from 'zod';
import { integersInTransaction, hexForInteger } from '../tolerances.js';
import { transactionArgumentsCodec } from '../wire/send-request.js';
import { textSchema } from '../wire/text.js';
import { BY_ADMIN } from './examples.js';

/** Shared parts of all writes of the permission module. */

export const SOURCE = 'interface document, "Node interface: permission"';

/** The result of every write, once its transaction is in the pool. */
export const ACTION_COMPLETED = 'Action completed successfully';
const messageSchema = z.string();

/** Sender of the action; gas and gas price may be given, everything else is ignored. */
const txArgs = param('txArgs', transactionArgumentsCodec, 'from: the calling admin account');

/** The tolerances of a write with the given number of documented parameters. */
function acceptsArguments(documented: number): readonly Tolerance[] {
  const trailing: Tolerance = {
    what: 'a trailing object of transaction arguments, read as the parameter txArgs',
    source:
      'interface document, "Transport conventions": not in the parameter lists, present in every sample',
    normalize: (params) => params,
  };
  return [trailing, integersInTransaction(documented)];
}

/** As `acceptsArguments`, with hex for the number at the position. */
function acceptsNumberAndArguments(documented: number, index: number): readonly Tolerance[] {
  return [hexForInteger('clients that write every number in hex', index), ...acceptsArguments(documented)];
}

/** Status changes: 1 suspend or deactivate, 2 activate again, 3 denylist. The rules of each are the domain's. */
export const actionParam = param('action', z.int().min(0).max(255), 'number of the action');

export const orgIdParam = param('orgId', textSchema, 'full organization id: the hierarchy joined by dots');

/** Errors that precede every rule of a write. */
const WRITE_ERRORS = ['INVALID_ACCOUNT', 'PERMISSIONING_NOT_ENABLED', 'PERMISSION_ACTION_FAILED'] as const;

/** Callers allowed to write, as the documents state it, and the errors of the others. */
const ADMINS = {
  network: { caller: 'network admin account', errors: [...WRITE_ERRORS, 'NOT_NETWORK_ADMIN'] },
  org: { caller: 'organization admin account', errors: [...WRITE_ERRORS, 'NOT_ORG_ADMIN', 'ORG_NOT_FOUND'] },
} as const;

/** What one write has of its own. */
export interface AdminAction<Params extends readonly ParameterDefinition[]> {
  readonly by: keyof typeof ADMINS;
  readonly summary: string;
  /** Without `txArgs`, which all have last. */
  readonly params: Params;
  /** Position of a number that clients write in hex. */
  readonly number?: number;
  /** Behind those of the caller. */
  readonly errors: readonly string[];
  /** A call that succeeds: what it does, and its parameters without `txArgs`. */
  readonly example: readonly [summary: string, ...params: unknown[]];
}

/** A write of the permission module: an action of an admin, which a transaction carries out. */
export function defineAction<const Params extends readonly ParameterDefinition[]>({
  by,
  number,
  ...action
}: AdminAction<Params>): MethodDefinition<readonly [...Params, typeof txArgs], typeof messageSchema> {
  const { caller, errors } = ADMINS[by];
  const [summary, ...params] = action.example;
  const documented = action.params.length;
  return defineMethod({
    summary: action.summary,
    params: [...action.params, txArgs],
    result: messageSchema,
    errors: [...errors, ...action.errors],
    accepts:
      number === undefined ? acceptsArguments(documented) : acceptsNumberAndArguments(documented, number),
    caller,
    source: SOURCE,
    examples: [{ summary, params: [...params, BY_ADMIN], result: ACTION_COMPLETED }],
  });
}

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
