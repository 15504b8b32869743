import { until } from '@tetrad/testkit';
import { keyPairFromPrivate } from '@tetrad/transaction-manager';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
  type PrivacyNetworkSetup,
} from '../../privacy-network.js';
import type { RpcAnswer, RunningNode } from '../../running-node.js';
import { PrivateClient } from '../privacy/private-contracts.js';

/** An extension as clients see it. */
export interface ActiveExtension {
  readonly managementContractAddress: string;
  readonly contractExtended: string;
  readonly creationData: string;
  readonly initiator: string;
  readonly recipient: string;
  readonly recipientPtmKey: string;
}

const KEYS = [...RECORDED_KEYS, keyPairFromPrivate(Buffer.alloc(32, 0x44))];

export const MODULES = 'eth,net,web3,debug,admin,chainExtension';

/**
 * Nodes with managers, which serve extensions.
 * @param count - of nodes, four at most
 */
export function startExtensionNetwork(
  count: number,
  setup: Partial<PrivacyNetworkSetup> = {},
): Promise<PrivacyNetwork> {
  const keys = KEYS.slice(0, count);
  return startPrivacyNetwork({ keys, accounts: recordedAccounts(count), modules: MODULES, ...setup });
}

/** The clients of such a network, each at its own node. */
export class ExtensionClient extends PrivateClient {
  constructor(private readonly parts: PrivacyNetwork) {
    super(parts);
  }

  nodeAt(index: number): RunningNode {
    return this.parts.nodes[index] as RunningNode;
  }

  call(index: number, method: string, ...params: readonly unknown[]): Promise<RpcAnswer> {
    return this.nodeAt(index).call(`chainExtension_${method}`, params);
  }

  /** Asks to extend the contract from one node to another. */
  extend(from: number, to: number, contract: string, more: object = {}): Promise<RpcAnswer> {
    const txArgs = { from: this.account(from), privateFor: [this.key(to)], ...more };
    return this.call(from, 'extendContract', contract, this.key(to), this.account(to), txArgs);
  }

  approve(index: number, management: string, vote: boolean, more: object = {}): Promise<RpcAnswer> {
    const txArgs = { from: this.account(index), privateFor: [this.key(0)], ...more };
    return this.call(index, 'approveExtension', management, vote, txArgs);
  }

  cancel(index: number, management: string, more: object = {}): Promise<RpcAnswer> {
    const txArgs = { from: this.account(index), privateFor: [this.key(2)], ...more };
    return this.call(index, 'cancelExtension', management, txArgs);
  }

  /**
   * Begins an extension that must not be refused.
   * @returns its management contract, once it is listed at both
   */
  async begin(from: number, to: number, contract: string): Promise<string> {
    const [receipt] = await this.minedAll(await this.extend(from, to, contract));
    const management = receipt?.contractAddress ?? '';
    for (const index of [from, to])
      await until(async () => (await this.active(index)).some((one) => isOf(one, management)));
    return management;
  }

  /** Until both sides say that it has ended, and neither lists it. */
  async ended(nodes: readonly number[], management: string): Promise<void> {
    for (const index of nodes) {
      await until(async () => (await this.call(index, 'getExtensionStatus', management)).result === 'DONE');
      await until(async () => !(await this.active(index)).some((one) => isOf(one, management)));
    }
  }

  /** Until the initiator's vote, which its node sends by itself, is in a block. */
  async initiatorVoted(index: number, management: string): Promise<void> {
    const data = VOTED + this.account(index).slice(2).padStart(64, '0');
    await until(async () => {
      const { result } = await this.nodeAt(index).call('eth_call', [{ to: management, data }]);
      return Number(result ?? 0) === 1;
    });
  }

  active(index: number): Promise<ActiveExtension[]> {
    return this.nodeAt(index).result('chainExtension_activeExtensionContracts');
  }

  status(index: number, management: string): Promise<string> {
    return this.nodeAt(index).result('chainExtension_getExtensionStatus', [management]);
  }

  /** The receipts of a transaction that must have been sent, in the order of the nodes. */
  minedAll({ result, error }: RpcAnswer) {
    if (error !== undefined) throw new Error(error.message);
    return Promise.all(this.parts.nodes.map((node) => node.mined(result as string)));
  }

  storageRoots(contract: string): Promise<string[]> {
    return this.ask('eth_storageRoot', contract);
  }
}

/** Selector of `votes(address)`. */
const VOTED = '0xd8bff5a5';

function isOf({ managementContractAddress }: ActiveExtension, management: string): boolean {
  return managementContractAddress === management;
}
