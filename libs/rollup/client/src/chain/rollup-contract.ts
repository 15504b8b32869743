import {
  ChainRpcError,
  RollupCodec,
  RollupReader,
  hasConsents,
  readAnnouncedKeys,
  readBatchLayout,
  readExitRules,
  readMinDeposit,
  type BatchLayout,
  type ExitRules,
  type EthereumClient,
  type EthereumReceipt,
  type PublishedBatch,
  type StateName,
} from '@tetrad/rollup-chain';
import { isOnCurve, rollupDomain, type Point } from '@tetrad/rollup-crypto';
import { MAX_TOKENS } from '@tetrad/rollup-state';
import {
  OperatorError,
  bytesFromHex,
  hexFromBytes,
  parseAddress,
  type Address,
  type Hex,
} from '@tetrad/types';
import type { RollupParameters } from '../operations/sign-operation.js';
import { ContractRefusal, DepositTooLowError } from './contract-errors.js';
import { sendTransaction, type ContractCall, type SendOptions } from './send-transaction.js';

/** A token of the rollup. */
export interface RollupToken {
  readonly id: number;
  /** The zero address for ether. */
  readonly address: Address;
  /** Base units of the token in one unit of the rollup. */
  readonly unit: bigint;
}

export interface ContractState {
  readonly height: number;
  readonly stateRoot: bigint;
}

/** Rollup.sol on a chain: what it says, and calls to it. */
export class RollupContract implements RollupParameters {
  private constructor(
    readonly client: EthereumClient,
    readonly address: Address,
    readonly codec: RollupCodec,
    readonly domain: bigint,
    private keys: readonly Point[],
    /** How it has batches written. */
    readonly batchLayout: BatchLayout,
    /** Smallest deposit of any token, in units of the rollup. */
    readonly minDeposit: bigint,
    /** How holders leave it when it is not served. */
    readonly exitRules: ExitRules,
  ) {}

  /** @throws OperatorError when the address holds no rollup contract, or it is of another chain */
  static async open(client: EthereumClient, address: Address): Promise<RollupContract> {
    const codec = new RollupCodec();
    const read = (name: string) => readWord({ client, address, codec }, name, []);
    const [chainId, domain, x, y] = await Promise.all([
      client.chainId(),
      ...['domain', 'operatorKeyX', 'operatorKeyY'].map(read),
    ] as const);
    if (domain !== rollupDomain(chainId, address))
      throw new OperatorError(
        `the contract at ${address} says that it is a rollup of another chain or address`,
      );
    const first = { x: x as bigint, y: y as bigint };
    if (!isOnCurve(first)) throw new OperatorError(`the rollup at ${address} has no key of an operator`);
    const keys = (await readAnnouncedKeys(client, address)) ?? [first];
    const layout = await readBatchLayout(client, address);
    const minDeposit = await readMinDeposit(client, address);
    const exitRules = await readExitRules(client, address);
    return new RollupContract(client, address, codec, domain, keys, layout, minDeposit, exitRules);
  }

  /** Whether accounts can have consents (docs/adr/0253). */
  get hasConsents(): boolean {
    return hasConsents(this.batchLayout);
  }

  /** Encryption keys that the operator had announced when this was last asked, the present one last. */
  get operatorKeys(): readonly Point[] {
    return this.keys;
  }

  /** The operator's half of the joint key of an account that is made now. */
  get operatorKey(): Point {
    return this.keys.at(-1) as Point;
  }

  /**
   * Whether an account may have the key: it may have been announced since.
   * @throws as `readAnnouncedKeys`
   */
  async knowsOperatorKey(key: Point): Promise<boolean> {
    const isKnown = () => this.keys.some(({ x, y }) => x === key.x && y === key.y);
    if (isKnown()) return true;
    this.keys = (await readAnnouncedKeys(this.client, this.address)) ?? this.keys;
    return isKnown();
  }

  /**
   * Height of the last batch and the root after it, both of one state.
   * @param block - the block, by default the latest
   * @throws as `RollupReader.head`
   */
  state(block: StateName = 'latest'): Promise<ContractState> {
    return new RollupReader(this.client, this.codec, this.address).head(block);
  }

  /** State root after a batch; 0 for one that was not accepted. */
  stateRootAt(height: number): Promise<bigint> {
    return this.read('stateRootAt', [height]);
  }

  /** @throws OperatorError for more than a rollup can have */
  async tokenCount(): Promise<number> {
    const count = await this.read('tokenCount', []);
    if (count > BigInt(MAX_TOKENS))
      throw new OperatorError(`the contract at ${this.address} says that it has ${count} tokens`);
    return Number(count);
  }

  /** @throws OperatorError when the contract has no such token */
  async token(id: number): Promise<RollupToken> {
    const count = await this.tokenCount();
    if (id >= count) throw new OperatorError(`token ${id} is unknown: the rollup has ${count}, from 0`);
    const [address, unit] = await this.values('tokens', [id]);
    return { id, address: parseAddress(String(address)), unit: unit as bigint };
  }

  /**
   * Takes ether from the sender for an account.
   * @param input.amount - in units of the rollup, each of which is `unit` wei
   * @throws DepositTooLowError; as `send`
   */
  async depositEther(
    input: { readonly accountId: number; readonly amount: bigint },
    options: SendOptions,
  ): Promise<EthereumReceipt> {
    this.assertDeposit(input.amount);
    const { unit } = await this.token(0);
    return this.send('registerInboundTransferETH', [input.accountId], {
      ...options,
      value: input.amount * unit,
    });
  }

  /**
   * Takes tokens that the sender has allowed the contract to take.
   * @param input.amount - in units of the rollup
   * @throws as `depositEther`
   */
  async depositToken(
    input: { readonly accountId: number; readonly tokenId: number; readonly amount: bigint },
    options: SendOptions,
  ): Promise<EthereumReceipt> {
    const { accountId, tokenId, amount } = input;
    this.assertDeposit(amount);
    return this.send('registerInboundTransferERC20', [accountId, tokenId, amount], options);
  }

  /**
   * Sends one of the contract's functions.
   * @throws OperatorError naming the error of the contract; as `sendTransaction`
   */
  send(
    name: string,
    values: readonly unknown[],
    options: SendOptions & { readonly value?: bigint },
  ): Promise<EthereumReceipt> {
    return this.sendData(this.codec.encodeCall(name, values), options);
  }

  /**
   * Sends a batch in the layout of the contract.
   * @throws as `send`
   */
  submitBatch(batch: PublishedBatch, proof: Uint8Array, options: SendOptions): Promise<EthereumReceipt> {
    return this.sendData(this.codec.encodeSubmitBatch(batch, proof, this.batchLayout), options);
  }

  /** One of the contract's functions as a call, without ether. */
  callTo(name: string, values: readonly unknown[]): ContractCall {
    return { to: this.address, data: bytesFromHex(this.codec.encodeCall(name, values)) };
  }

  /**
   * Finds out whether a call would be refused in the latest block.
   * @throws ContractRefusal; ChainRpcError; ChainUnavailableError
   */
  async tryCall(
    call: ContractCall,
    { from, gas }: { readonly from: Address; readonly gas: bigint },
  ): Promise<void> {
    try {
      await this.client.call({ ...call, from, gas });
    } catch (error) {
      throw this.refusalOf(error);
    }
  }

  private async sendData(
    data: Hex,
    options: SendOptions & { readonly value?: bigint },
  ): Promise<EthereumReceipt> {
    try {
      const call = { to: this.address, data: bytesFromHex(data), value: options.value ?? 0n };
      return await sendTransaction(this.client, call, options);
    } catch (error) {
      throw this.refusalOf(error);
    }
  }

  /** A function that gives one word. */
  read(name: string, values: readonly unknown[], block: StateName = 'latest'): Promise<bigint> {
    return readWord(this, name, values, block);
  }

  private assertDeposit(amount: bigint): void {
    if (amount < this.minDeposit) throw new DepositTooLowError(amount, this.minDeposit);
  }

  /**
   * All that a function gives.
   * @throws OperatorError for an answer that is not of that function
   */
  async values(
    name: string,
    values: readonly unknown[],
    block: StateName = 'latest',
  ): Promise<readonly unknown[]> {
    const data = bytesFromHex(this.codec.encodeCall(name, values));
    const answer = hexFromBytes(await this.client.call({ to: this.address, data }, block));
    try {
      return [...this.codec.decodeResult(name, answer)];
    } catch (error) {
      throw new OperatorError(`the answer to ${name} of the contract at ${this.address} cannot be read`, {
        cause: error,
      });
    }
  }

  /** @returns the error, or that of the contract where it carries one */
  private refusalOf(error: unknown): unknown {
    if (!(error instanceof ChainRpcError) || error.data === undefined) return error;
    const reason = this.codec.errorName(hexFromBytes(error.data));
    return reason === undefined ? error : new ContractRefusal(reason);
  }
}

async function readWord(
  { client, address, codec }: Pick<RollupContract, 'client' | 'address' | 'codec'>,
  name: string,
  values: readonly unknown[],
  block: StateName = 'latest',
): Promise<bigint> {
  const data = bytesFromHex(codec.encodeCall(name, values));
  const answer = await client.call({ to: address, data }, block);
  if (answer.length !== 32)
    throw new OperatorError(`no rollup contract at ${address}: ${name} does not return a word`);
  return codec.decodeResult(name, hexFromBytes(answer))[0] as bigint;
}
