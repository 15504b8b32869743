import { wordFromAddress, type FrameOutcome } from '@tetrad/node-evm';
import {
  PAYLOAD_HASH_BYTES,
  TwoWorlds,
  calledContracts,
  runPrivateMessage,
  stateValidationRoot,
  type PayloadHash,
  type PrivacyFlag,
} from '@tetrad/node-private-state';
import { RequestError, TetradError, type Address, type Hash } from '@tetrad/types';
import type { HeadWorlds } from './head-worlds.js';

/** A private transaction whose payload is not encrypted yet. */
export interface PrivateCall {
  readonly sender: Address;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Gas price in wei. */
  readonly gasPrice: bigint;
  readonly payload: Uint8Array;
}

/** Result of a dry run, which the sender declares and every party compares with its own execution. */
export interface DryRun {
  /** Creations of the contracts that were entered, each once. */
  readonly affected: readonly PayloadHash[];
  /** Private contracts that were entered and existed before. */
  readonly called: readonly Address[];
  /** Root over all contracts that were entered; with flag 3. */
  readonly root?: Hash;
}

/** The dry run failed, and the privacy flag requires success. */
export class DryRunFailedError extends TetradError {
  override readonly name = 'DryRunFailedError';
  override readonly code = 'SIMULATION_FAILED';

  constructor(
    readonly failure: string,
    readonly output: Uint8Array,
  ) {
    super(failure);
  }
}

/** Placeholder for the hash, which is not known yet; no hash costs more gas. */
const ANY_HASH = new Uint8Array(PAYLOAD_HASH_BYTES).fill(0xff);

/**
 * Executes the transaction with its payload in both worlds, and returns the contracts that it enters.
 *
 * Source: docs/spec/private-transactions.md#requests and #dry-run
 *
 * @throws DryRunFailedError with a flag other than 0; RequestError CONTRACT_NOT_FOUND, NO_PRIVACY_METADATA,
 *   PRIVACY_FLAG_MISMATCH, EXECUTION_FAILED when flag 3 has no root
 */
export async function dryRunPayload(
  head: HeadWorlds,
  { payload, to, ...call }: PrivateCall,
  privacyFlag: PrivacyFlag,
): Promise<DryRun> {
  const worlds = new TwoWorlds(head.publicWorld, head.privateWorld);
  const message = { ...call, ...(to === undefined ? {} : { to }), value: 0n, data: ANY_HASH };
  const outcome = await runPrivateMessage(head.context, message, { data: payload, worlds });
  if (privacyFlag !== 0) assertSucceeded(outcome, to !== undefined && !isEntered(worlds, to));
  const called = calledContracts(worlds);
  const affected = await affectedCreations(head, called, privacyFlag);
  if (privacyFlag !== 3) return { affected, called };
  const root = await stateValidationRoot(worlds, head.roots);
  if (root === undefined)
    throw new RequestError('EXECUTION_FAILED', 'a contract that was entered has no account afterwards');
  return { affected, called, root };
}

const isEntered = ({ affected }: TwoWorlds, to: Address) => affected.has(wordFromAddress(to));

function assertSucceeded({ failure, output }: FrameOutcome, isWithoutCode: boolean): void {
  if (failure !== undefined) throw new DryRunFailedError(failure, output);
  if (isWithoutCode) throw new RequestError('CONTRACT_NOT_FOUND', 'contract not found. cannot transact');
}

async function affectedCreations(
  { metadata }: HeadWorlds,
  called: readonly Address[],
  privacyFlag: PrivacyFlag,
): Promise<PayloadHash[]> {
  const found = await metadata.find(called);
  const creations = new Set<PayloadHash>();
  for (const address of called) {
    const own = found.get(address);
    if (own === undefined && privacyFlag !== 0) {
      throw new RequestError(
        'NO_PRIVACY_METADATA',
        `PrivacyMetadata not found: ${address}: no account extra data found`,
      );
    }
    if (own === undefined) continue;
    if (own.privacyFlag !== privacyFlag) {
      throw new RequestError(
        'PRIVACY_FLAG_MISMATCH',
        "sent privacy flag doesn't match all affected contract flags",
      );
    }
    creations.add(own.creation);
  }
  return [...creations];
}
