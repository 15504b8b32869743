import { EMPTY_KECCAK } from '@tetrad/crypto';
import type { ExecutionContext, World } from '@tetrad/node-evm';
import { isPrivateTransaction, type StateDatabase } from '@tetrad/node-execution';
import type { PrivateStateStore } from '@tetrad/node-store';
import { RequestError, type Address, type Block, type SignedTransaction } from '@tetrad/types';
import type { DecodeTransaction } from '../execution/marked-transaction.js';
import { executePrivateBlock, type PrivateBlockParts } from '../execution/private-block.js';
import type { PrivateResult } from '../execution/private-execution.js';
import { storedRoots } from '../execution/state-validation-root.js';
import { PendingExtensions, StoredExtensions } from '../extension/pending-extensions.js';
import type { Known, SharedStates } from '../extension/shared-states.js';
import type { PrivacySwitches } from '../following/privacy-switches.js';
import { StoredMetadata } from '../following/stored-metadata.js';
import { PendingMetadata } from '../metadata/privacy-metadata.js';
import type { PayloadSource } from '../payload/payload-source.js';
import type { StoredRepairs } from '../repair/stored-repairs.js';
import type { PrivateStateView } from './private-state-view.js';

export interface PrivateReplayParts {
  readonly view: Pick<PrivateStateView, 'demand' | 'rootAt'>;
  readonly states: StateDatabase;
  readonly store: PrivateStateStore;
  readonly payloads: PayloadSource;
  readonly sharedStates: SharedStates;
  readonly switchesAt: (blockNumber: number) => PrivacySwitches;
  readonly decode: DecodeTransaction;
  readonly chainId: bigint;
  readonly repairs: Pick<StoredRepairs, 'has'>;
}

/** Executes the private part of a followed block again, for traces. Nothing is stored. */
export class PrivateReplay {
  private constructor(private readonly parts: PrivateBlockParts) {}

  /**
   * @param options.publicWorld - after the parent block; the caller executes the public transactions in it
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE; PRIVATE_STATE_REPAIRED for a block to whose state its transactions do not lead
   */
  static async open(
    { view, states, store, switchesAt, repairs, ...sources }: PrivateReplayParts,
    block: Block,
    {
      context,
      publicWorld,
      isPermitted,
    }: {
      readonly context: ExecutionContext;
      readonly publicWorld: World;
      readonly isPermitted: PrivateBlockParts['isPermitted'];
    },
  ): Promise<PrivateReplay> {
    const { number } = block.header;
    await view.demand(number);
    if (await repairs.has(number))
      throw new RequestError(
        'PRIVATE_STATE_REPAIRED',
        `a private contract was repaired at the end of block ${number}, so that its transactions do not lead to its state`,
        { blockNumber: number },
      );
    const world = await states.openWorld(await view.rootAt(number - 1), publicWorld.journal);
    const { enhancements, markers } = switchesAt(number);
    return new PrivateReplay({
      ...sources,
      context,
      publicWorld,
      privateWorld: world.evm,
      roots: storedRoots,
      hasPrivacyEnhancements: enhancements,
      hasMarkers: markers,
      metadata: new PendingMetadata(new StoredMetadata(store, number - 1)),
      extensions: new PendingExtensions(new StoredExtensions(store, number - 1)),
      executePublicly: async () => undefined,
      isPermitted,
      check: ({ contract }) => wasAccepted({ view, states }, contract, number),
    });
  }

  /**
   * Executes the private part of the next transaction; the public world must be at the state before it.
   * @param context - with a listener for a trace
   * @returns undefined where this node is not a party
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
   */
  async execute(
    transaction: SignedTransaction,
    context = this.parts.context,
  ): Promise<PrivateResult | undefined> {
    const outcome = await executePrivateBlock(
      { ...this.parts, context },
      [transaction],
      isPrivateTransaction,
    );
    if (outcome.kind === 'paused') throw new RequestError('TRANSACTION_MANAGER_UNAVAILABLE', outcome.reason);
    return outcome.results[0];
  }
}

/** Whether the block made the shared state a contract, when it was followed: the parties are not asked again. */
async function wasAccepted(
  { view, states }: Pick<PrivateReplayParts, 'view' | 'states'>,
  contract: Address,
  block: number,
): Promise<Known<boolean>> {
  const after = await states.openWorld(await view.rootAt(block));
  const { codeHash = EMPTY_KECCAK } = (await after.findAccount(contract)) ?? {};
  return { kind: 'known', value: codeHash !== EMPTY_KECCAK };
}
