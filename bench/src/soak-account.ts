import { Agent } from 'node:http';
import { keccak256, signDigest } from '@tetrad/crypto';
import type { DevelopmentAccount } from '@tetrad/testkit';
import { privateEnvelopeOf } from '@tetrad/transactions';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { postJson } from './http-post.js';

/** A private transaction that an account is to send. */
export interface SoakTransaction {
  readonly to: string;
  readonly gas: number;
  /** 32 bytes. */
  readonly word: Uint8Array;
  readonly privateFor: readonly (string | null | undefined)[];
  readonly privacyFlag: number;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Signs transactions for one node, with one nonce after the other. */
export class SoakAccount {
  /** Undefined until the node has said it, and after a send of which it is not known what became. */
  private nonce: bigint | undefined;

  constructor(
    private readonly account: DevelopmentAccount,
    private readonly node: { readonly rpc: string; readonly ptm: string | null },
  ) {}

  /**
   * Sends them in one batch.
   * @returns hashes of those that the node has acknowledged
   * @throws Error when node or manager do not answer
   */
  async send(transactions: readonly SoakTransaction[]): Promise<string[]> {
    const first = this.nonce ?? BigInt(await this.count());
    this.nonce = undefined;
    const raw = transactions.map((one, index) => this.sign(one, first + BigInt(index)));
    const calls = (await Promise.all(raw)).map((bytes, index) => {
      const { privateFor, privacyFlag } = transactions[index] as SoakTransaction;
      const params = [hexFromBytes(bytes), { privateFor, privacyFlag }];
      return { jsonrpc: '2.0', id: index, method: 'eth_sendRawPrivateTransaction', params };
    });
    const answers = (await postJson(this.node.rpc, calls, agent)) as readonly Answer[];
    const hashes = answers.flatMap(({ result }) => (typeof result === 'string' ? [result] : []));
    if (hashes.length === transactions.length) this.nonce = first + BigInt(hashes.length);
    return hashes;
  }

  private async sign({ to, gas, word }: SoakTransaction, nonce: bigint): Promise<Uint8Array> {
    const payload = Buffer.from(word).toString('base64');
    const stored = (await postJson(`${this.node.ptm}/storeraw`, { payload }, agent)) as { key: string };
    const envelope = privateEnvelopeOf({
      nonce,
      gasPrice: 0n,
      gasLimit: BigInt(gas),
      to: parseAddress(to),
      value: 0n,
      data: Buffer.from(stored.key, 'base64'),
    });
    return envelope.raw(signDigest(keccak256(envelope.preimage()), this.account.privateKey));
  }

  private async count(): Promise<string> {
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount' };
    const answer = await postJson(
      this.node.rpc,
      { ...call, params: [this.account.address, 'pending'] },
      agent,
    );
    return (answer as { result: string }).result;
  }
}
