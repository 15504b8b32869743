import { addressFromWord } from '@tetrad/node-evm';
import {
  call,
  contextOf,
  type BlockContext,
  type ForkRules,
  type MessageStage,
  type WorldState,
} from '@tetrad/node-execution';
import type { PermissionAddresses, PermissionView } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, ZERO_HASH, bytesFromHex, hexFromBytes, type Address } from '@tetrad/types';

/** Gas of a call. Consensus-critical under the second model: every node must get the same answer. */
const CALL_GAS = 50_000_000n;

/** The block that the contracts see: always the same, so that answers depend on the state only (docs/adr/0086). */
const NO_BLOCK: BlockContext = {
  number: 0,
  timestamp: 0,
  proposer: ZERO_ADDRESS,
  gasLimit: CALL_GAS,
  difficulty: 0n,
  mixHash: ZERO_HASH,
  baseFeePerGas: 0n,
  findBlockHash: () => Promise.resolve(undefined),
};

export interface ContractStateParts {
  readonly rules: ForkRules;
  readonly chainId: bigint;
  readonly addresses: PermissionAddresses;
  /** A world without changes, in which calls run. */
  readonly world: WorldState;
}

/** The permission contracts in one state. */
export class ContractState {
  private world: WorldState;
  /** Accounts read in worlds that were replaced. */
  private readBefore: readonly Address[] = [];
  private readonly executor: MessageStage['executor'];
  /** A world executes one message after the other. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: ContractStateParts) {
    const { rules, chainId } = parts;
    this.world = parts.world;
    this.executor = {
      context: (block, options) => ({ ...contextOf(block, { ...rules, chainId }), ...options }),
    };
  }

  /**
   * Calls a view of a contract.
   * @returns undefined without a valid answer: no contract, a revert, or other data
   * @throws as reads of the state do
   */
  async ask<Parameters extends readonly unknown[], Value>(
    view: PermissionView<Parameters, Value>,
    ...parameters: Parameters
  ): Promise<Value | undefined> {
    const data = bytesFromHex(view.encode(...parameters));
    const answer = await this.call(this.parts.addresses[view.contract], data);
    if (answer === undefined) return undefined;
    try {
      return view.decode(hexFromBytes(answer));
    } catch {
      return undefined;
    }
  }

  /** The contracts in the same state, for calls that run beside those of this one. */
  beside(): ContractState {
    return new ContractState({ ...this.parts, world: this.parts.world.base() });
  }

  /** All accounts on which answers so far depend. */
  accountsRead(): Address[] {
    return [...this.readBefore, ...this.world.evm.accountsRead().map(addressFromWord)];
  }

  /** @returns undefined when the call fails */
  private call(to: Address, data: Uint8Array): Promise<Uint8Array | undefined> {
    const result = this.turn.then(() => this.run(to, data));
    this.turn = result.catch(() => undefined);
    return result;
  }

  private async run(to: Address, data: Uint8Array): Promise<Uint8Array | undefined> {
    const { executor, world } = this;
    const request = { from: ZERO_ADDRESS, to, data, gas: CALL_GAS };
    const { returnData, failure } = await call({ executor, block: NO_BLOCK, world }, request);
    // A call must not affect later ones, whatever the contract does.
    if (world.evm.changed.length > 0) {
      this.readBefore = [...new Set(this.accountsRead())];
      this.world = world.base();
    }
    return failure === undefined ? returnData : undefined;
  }
}
