import { presign } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { callRpc } from '../demo/call-rpc.js';
import type { Endpoints } from '../network/endpoints.js';
import { FUNDED_ACCOUNTS } from '../network/network-files.js';
import type { NetworkNode } from '../network/network-node.js';
import { choose } from './trouble.js';
import { ANSWER_MS, PAUSE_MS, answerWithin, pause } from './offer.js';

/** Transactions sent to any node that is up, and the acknowledgements for them. */
export class ChaosLoad {
  /** Hashes that a node has acknowledged. */
  readonly acknowledged = new Set<string>();
  /** Sends that failed and were retried. */
  retries = 0;
  private stopped = false;
  private readonly senders: Promise<void>[];

  constructor(
    private readonly nodes: readonly NetworkNode[],
    private readonly endpoints: Pick<Endpoints, 'chainId' | 'signer'>,
    private readonly random: () => number,
  ) {
    const { signer } = endpoints;
    this.senders = FUNDED_ACCOUNTS.map((account) => this.send(account));
    if (signer !== null) this.senders.push(this.sendSigned(signer));
  }

  /** Resolves when every sender has its last answer. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.senders);
  }

  /** One transaction after the other; each is offered until a node has acknowledged it. */
  private async send({ address, privateKey }: (typeof FUNDED_ACCOUNTS)[number]): Promise<void> {
    const chainId = BigInt(this.endpoints.chainId);
    for (let nonce = 0; !this.stopped; nonce++) {
      const plain = { gasLimit: 21_000, to: address, value: 1n, data: new Uint8Array(0), gasPrice: 0n };
      const raw = hexFromBytes(presign({ chainId, nonce, ...plain }, privateKey));
      while (!(await this.offer(raw))) {
        this.retries += 1;
        await pause(PAUSE_MS);
      }
      await pause(PAUSE_MS);
    }
  }

  /** Has the signer sign and send; a transaction that is not acknowledged may have been sent all the same, and is not retried. */
  private async sendSigned({ rpc, address }: NonNullable<Endpoints['signer']>): Promise<void> {
    while (!this.stopped) {
      const transaction = { from: address, to: address, value: '0x0', gas: '0x5208' };
      const hash = await answerWithin(ANSWER_MS, callRpc(rpc, 'eth_sendTransaction', [transaction]));
      if (typeof hash === 'string') this.acknowledged.add(hash);
      else this.retries += 1;
      await pause(PAUSE_MS * 4);
    }
  }

  /** @returns whether a node has it now, from this offer or an earlier one */
  private async offer(raw: string): Promise<boolean> {
    const node = choose(
      this.random,
      this.nodes.filter(({ isRunning }) => isRunning),
    );
    if (node === undefined) return false;
    try {
      const sent = callRpc(node.rpc, 'eth_sendRawTransaction', [raw]);
      const hash = await Promise.race([sent, pause(ANSWER_MS).then(() => undefined)]);
      if (typeof hash === 'string') this.acknowledged.add(hash);
      return hash !== undefined;
    } catch (error) {
      // An offer without an answer may have been accepted all the same.
      return error instanceof Error && /already known|nonce too low/.test(error.message);
    }
  }
}
