import { Agent } from 'node:http';
import { keccak256, signDigest } from '@tetrad/crypto';
import { loadToken } from '@tetrad/testkit';
import { envelopeOf, privateEnvelopeOf, type TransactionEnvelope } from '@tetrad/transactions';
import { hexFromBytes, parseAddress, type Address } from '@tetrad/types';
import { AbiCoder, Interface, getCreateAddress } from 'ethers';
import { postJson } from './http-post.js';
import { SENDERS } from './load.js';
import { CHAIN_ID } from './peers.js';

/** How token transfers are sent: in public, or between two nodes. */
export type Visibility = 'public' | 'private';

export interface TokenNode {
  readonly rpc: string;
  /** URL of its transaction manager. */
  readonly manager: string;
}

const GAS = { creation: 3_000_000, transfer: 150_000 };
const SUPPLY = 10n ** 24n;
const ERC20 = new Interface(['function transfer(address to, uint256 value)']);

/** Sends token transfers of four accounts through one node, signed while they are sent. */
export class TokenSenders {
  private readonly nonces = SENDERS.map(() => 0);
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /** @param recipient - key of the manager of the other party of private transfers */
  constructor(
    private readonly node: TokenNode,
    private readonly recipient: string,
  ) {}

  /** Deploys a token, of which every sender has a part once both transactions and their blocks are executed. */
  async deploy(visibility: Visibility, onSigned: (hash: string) => void): Promise<Address> {
    const [owner, ...others] = SENDERS;
    if (owner === undefined) throw new Error('no sender');
    const { bytecode } = await loadToken();
    const types = ['string', 'string', 'uint256'];
    const args = AbiCoder.defaultAbiCoder().encode(types, ['Bench', 'B', SUPPLY]);
    const nonce = this.nonces[0] as number;
    const token = parseAddress(getCreateAddress({ from: owner.address, nonce }));
    await this.send(visibility, { from: 0, to: undefined, data: bytecode + args.slice(2) }, onSigned);
    for (const { address } of others) {
      const data = ERC20.encodeFunctionData('transfer', [address, SUPPLY / 4n]);
      await this.send(visibility, { from: 0, to: token, data }, onSigned);
    }
    return token;
  }

  /**
   * Sends one transfer of the load.
   * @param onSigned - gets its hash before it is submitted
   */
  async transfer(visibility: Visibility, token: Address, index: number, onSigned: (hash: string) => void) {
    const from = index % SENDERS.length;
    const { address } = SENDERS[(from + 1) % SENDERS.length] as (typeof SENDERS)[number];
    const data = ERC20.encodeFunctionData('transfer', [address, 1n]);
    await this.send(visibility, { from, to: token, data }, onSigned);
  }

  close(): void {
    this.agent.destroy();
  }

  private async send(
    visibility: Visibility,
    { from, to, data }: { from: number; to: Address | undefined; data: string },
    onSigned: (hash: string) => void,
  ): Promise<void> {
    const nonce = BigInt((this.nonces[from] as number)++);
    const gasLimit = BigInt(to === undefined ? GAS.creation : GAS.transfer);
    const plain = { nonce, gasPrice: 0n, gasLimit, to, value: 0n };
    const isPrivate = visibility === 'private';
    const carried = isPrivate ? await this.store(data) : Buffer.from(data.slice(2), 'hex');
    const envelope = isPrivate
      ? privateEnvelopeOf({ ...plain, data: carried })
      : envelopeOf({ ...plain, chainId: CHAIN_ID, data: carried, fees: { type: 'legacy', gasPrice: 0n } });
    const raw = signed(envelope, from);
    onSigned(hexFromBytes(keccak256(raw)));
    const [method, rest] = isPrivate
      ? ['eth_sendRawPrivateTransaction', [{ privateFor: [this.recipient] }]]
      : ['eth_sendRawTransaction', []];
    await this.call(method as string, [hexFromBytes(raw), ...(rest as object[])]);
  }

  /**
   * Stores a payload with the manager.
   * @returns its hash
   */
  private async store(data: string): Promise<Uint8Array> {
    const payload = Buffer.from(data.slice(2), 'hex').toString('base64');
    const answer = await postJson(`${this.node.manager}/storeraw`, { payload }, this.agent);
    return Buffer.from((answer as { key: string }).key, 'base64');
  }

  private async call(method: string, params: readonly unknown[]): Promise<void> {
    const answer = await postJson(this.node.rpc, { jsonrpc: '2.0', id: 1, method, params }, this.agent);
    const { error } = answer as { error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  }
}

function signed(envelope: TransactionEnvelope, from: number): Uint8Array {
  const { privateKey } = SENDERS[from] as (typeof SENDERS)[number];
  return envelope.raw(signDigest(keccak256(envelope.preimage()), privateKey));
}
