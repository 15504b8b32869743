import { call, type BlockContext, type Executor, type WorldState } from '@tetrad/node-execution';
import type { PermissionView } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, ZERO_HASH, bytesFromHex, hexFromBytes, type Address } from '@tetrad/types';
import type { PermissionAddresses } from '../config/permission-config.js';

/** Part of the rules of a chain under the second model: every node must come to the same answer. */
const CALL_GAS = 50_000_000n;

/** Which block a question is asked for. */
export type AskedBlock = Pick<BlockContext, 'number' | 'timestamp'>;

export interface ContractStateParts {
  readonly executor: Pick<Executor, 'context'>;
  readonly addresses: PermissionAddresses;
  /** Without changes; what is asked reads in it. */
  readonly world: WorldState;
  readonly block: AskedBlock;
}

/** The permission contracts in one state. */
export class ContractState {
  private world: WorldState;
  private readonly block: BlockContext;
  /** A world executes one message after the other. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: ContractStateParts) {
    this.world = parts.world;
    this.block = contextOf(parts.block);
  }

  /**
   * Asks a contract.
   *
   * Out:   undefined when it gives no answer: there is none, it reverts, or it answers something else
   * Fails: as reads of the state do
   */
  async ask<Parameters extends readonly unknown[], Value>(
    view: PermissionView<Parameters, Value>,
    ...parameters: Parameters
  ): Promise<Value | undefined> {
    const answer = await this.call(
      this.parts.addresses[view.contract],
      bytesFromHex(view.encode(...parameters)),
    );
    if (answer === undefined) return undefined;
    try {
      return view.decode(hexFromBytes(answer));
    } catch {
      return undefined;
    }
  }

  /** Out: undefined when the call fails */
  private call(to: Address, data: Uint8Array): Promise<Uint8Array | undefined> {
    const result = this.turn.then(() => this.run(to, data));
    this.turn = result.catch(() => undefined);
    return result;
  }

  private async run(to: Address, data: Uint8Array): Promise<Uint8Array | undefined> {
    const { executor } = this.parts;
    const stage = { executor, block: this.block, world: this.world };
    const { returnData, failure } = await call(stage, { from: ZERO_ADDRESS, to, data, gas: CALL_GAS });
    // A question may change nothing for those after it, whatever the contract is.
    if (this.world.evm.changed.length > 0) this.world = this.world.base();
    return failure === undefined ? returnData : undefined;
  }
}

/** What a contract sees of the block: what all nodes know before there is a header. */
function contextOf({ number, timestamp }: AskedBlock): BlockContext {
  return {
    ...{ number, timestamp, proposer: ZERO_ADDRESS, gasLimit: CALL_GAS },
    ...{ difficulty: 0n, mixHash: ZERO_HASH, baseFeePerGas: 0n },
    findBlockHash: () => Promise.resolve(undefined),
  };
}
