import { waitWhileMoving } from '@tetrad/node-private-state';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, type Hash } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import { OpenModules } from '../open/node-module.js';
import { openChain, type OpenChain } from '../open/open-chain.js';
import { asOperatorError } from '../open/operator-errors.js';
import { openPrivacy } from '../privacy/open-privacy.js';
import { partyStates } from '../privacy/contract-parties.js';
import { readPermissionConfig } from '../permissions/read-permission-config.js';
import { readGenesis } from '../open/read-genesis.js';
import { verifyRepairs, type VerifiedRepair } from './verify-repairs.js';

/** Private state that has not moved for this long is stuck. */
const STANDSTILL_MS = 60_000;

/** The result of executing the stored chain again. */
export interface VerifiedChain {
  readonly blocks: number;
  readonly head: Hash;
  readonly stateRoot: Hash;
  /** Undefined without a transaction manager. */
  readonly privateStateRoot: Hash | undefined;
  /** Private contracts that were taken from other parties; undefined without one. */
  readonly repairs: readonly VerifiedRepair[] | undefined;
}

/**
 * Executes the stored chain again and compares all commitments.
 * @throws with the first block that differs
 */
export async function verifyNode(
  config: NodeConfig,
  environment: ServiceEnvironment,
): Promise<VerifiedChain> {
  const genesis = await readGenesis(config);
  const modules = new OpenModules();
  try {
    const permissionConfig = await readPermissionConfig(config, environment.logger);
    const chain = await modules.open(openChain(config, environment, genesis, permissionConfig));
    const { ledger } = chain;
    let verified = 0;
    const blocks = await ledger
      .verifyFromGenesis((number) => (verified = number))
      .catch((error: unknown) => asOperatorError(error, `block ${verified + 1}: `));
    const { hash, header } = ledger.head();
    const privately = await verifyPrivateState(config, environment, { chain, modules });
    return { blocks, head: hash, stateRoot: header.stateRoot, ...privately };
  } finally {
    await modules.close();
  }
}

/**
 * With a transaction manager, brings private state to the head of the chain: from its first block on where it is not
 * stored, as in a database that was restored without it.
 * @returns the root of private state after the head, and the repairs in it; undefined without a manager
 * @throws OperatorError when a payload is not available now
 */
async function verifyPrivateState(
  config: NodeConfig,
  environment: ServiceEnvironment,
  { chain, modules }: { readonly chain: OpenChain; readonly modules: OpenModules },
): Promise<Pick<VerifiedChain, 'privateStateRoot' | 'repairs'>> {
  const nothing = { privateStateRoot: undefined, repairs: undefined };
  if (config.ptmUrl === undefined) return nothing;
  const { own } = await modules.open(openPrivacy(config, environment, chain));
  if (own === undefined) return nothing;
  const { follower, view } = own;
  const { number } = chain.ledger.head().header;
  const arrival = await waitWhileMoving(follower, number, STANDSTILL_MS);
  if (arrival.kind === 'followed') {
    const repairs = await verifyRepairs(own.repairStore, partyStates(chain.ledger, own));
    const privateStateRoot = await view.rootAt(number);
    return { privateStateRoot, repairs: repairs.length === 0 ? undefined : repairs };
  }
  const reason = arrival.kind === 'paused' ? arrival.reason : `was not executed in ${STANDSTILL_MS} ms`;
  throw new OperatorError(`private state, block ${arrival.blockNumber}: ${reason}`);
}
