import { expect } from '@jest/globals';
import {
  EVM_ATTACKS,
  developmentAccounts,
  initCodeOf,
  until,
  type DevelopmentAccount,
  type EvmAttack,
} from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import { hexFromBytes, bytesFromHex, parseAddress, type Address } from '@tetrad/types';
import { createNodeHome, type NodeHome, type NodeProcess } from '../node-process.js';
import { post, type RpcAnswer } from '../running-node.js';

/** Enough gas that every attack lasts until its time is over, which is short. */
const FLAGS = '--http-api eth,debug --rpc-gas-cap 2000000000 --rpc-estimate-gas-cap 2000000000'.split(' ');
/** Of each transaction: what deploying the largest takes, and a little more. */
const TRANSACTION_GAS = 8_000_000n;

export const OWNERS = developmentAccounts(4, 'owner');

export interface Sent {
  readonly nonce: number;
  readonly to?: Address;
  readonly data: string;
}

export interface Receipt {
  readonly blockNumber: string;
  readonly contractAddress: string;
  readonly status: string;
}

/** What others get while some work lasts. */
export interface Meanwhile {
  /** Answers to calls that began and ended in it. */
  readonly answers: number;
  readonly blocks: number;
}

/** A node on whose chain every attack is deployed. */
export class AttackedNode {
  readonly contracts = new Map<EvmAttack, Address>();
  private stopped: Promise<number | null> | undefined;

  private constructor(
    readonly home: NodeHome,
    private readonly node: NodeProcess,
  ) {}

  static async start(flags: readonly string[]): Promise<AttackedNode> {
    const home = await createNodeHome(OWNERS);
    const attacked = new AttackedNode(home, await home.start([...FLAGS, ...flags]));
    await attacked.deployAll();
    return attacked;
  }

  /** Its exit code; it may have been stopped before. */
  stop(): Promise<number | null> {
    return (this.stopped ??= this.stopOnce());
  }

  post(method: string, params: readonly unknown[]): Promise<RpcAnswer> {
    return post(this.home.url, method, params);
  }

  async call<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    const { result, error } = await this.post(method, params);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as T;
  }

  async receiptsOf(hashes: readonly string[]): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    for (const hash of hashes) {
      let found: Receipt | null = null;
      await until(
        async () => (found = await this.call<Receipt | null>('eth_getTransactionReceipt', [hash])) !== null,
      );
      receipts.push(found as unknown as Receipt);
    }
    return receipts;
  }

  /** Sends from the owner, from the nonce on; one after the other, so that the pool has no gaps. */
  async send(
    owner: DevelopmentAccount,
    from: number,
    all: readonly Omit<Sent, 'nonce'>[],
  ): Promise<string[]> {
    const hashes: string[] = [];
    for (const [index, one] of all.entries()) {
      const raw = rawOf(owner, { ...one, nonce: from + index });
      hashes.push(await this.call<string>('eth_sendRawTransaction', [raw]));
    }
    return hashes;
  }

  /** Every way in which a client can have the contract run. */
  attackByCalls(attack: EvmAttack): Promise<RpcAnswer[]> {
    const message = { to: this.contracts.get(attack), data: `0x${attack.data}`, gas: '0x77359400' };
    return Promise.all([
      this.post('eth_call', [message, 'latest']),
      this.post('eth_estimateGas', [message, 'latest']),
      this.post('eth_createAccessList', [message, 'latest']),
      this.post('debug_traceCall', [message, 'latest', { tracer: 'callTracer' }]),
    ]);
  }

  /** What others get while the work lasts. */
  async meanwhile(work: Promise<unknown>): Promise<Meanwhile> {
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    const [held] = OWNERS as [DevelopmentAccount];
    const first = await this.height();
    let [answers, last] = [0, first];
    while (!isOver) {
      const { error } = await (answers % 2 === 0
        ? this.post('eth_getBalance', [held.address, 'latest'])
        : this.post('eth_call', [{ to: held.address }, 'latest']));
      // On a host that is busy with much else a call, too, may take longer than it may.
      if (!isOver && error === undefined) answers++;
      const at = await this.height();
      if (isOver) break;
      [answers, last] = [answers + 1, at];
    }
    await over;
    return { answers, blocks: last - first };
  }

  private async stopOnce(): Promise<number | null> {
    const code = await this.node.stop();
    await this.home.remove();
    return code;
  }

  private async height(): Promise<number> {
    return Number(await this.call('eth_blockNumber'));
  }

  private async deployAll(): Promise<void> {
    const [owner] = OWNERS as [DevelopmentAccount];
    const codes = EVM_ATTACKS.map((attack) => ({ data: initCodeOf(attack) }));
    const receipts = await this.receiptsOf(await this.send(owner, 0, codes));
    for (const [index, attack] of EVM_ATTACKS.entries()) {
      const { status, contractAddress } = receipts[index] as Receipt;
      expect({ name: attack.name, status }).toEqual({ name: attack.name, status: '0x1' });
      this.contracts.set(attack, parseAddress(contractAddress));
    }
  }
}

function rawOf({ privateKey }: DevelopmentAccount, { nonce, to, data }: Sent): string {
  const fields = { chainId: 1337n, nonce: BigInt(nonce), gasLimit: TRANSACTION_GAS, value: 0n };
  const target = to === undefined ? {} : { to };
  const fees = { type: 'legacy', gasPrice: 0n } as const;
  return hexFromBytes(
    signTransaction({ ...fields, ...target, data: bytesFromHex(`0x${data}`), fees }, privateKey),
  );
}
