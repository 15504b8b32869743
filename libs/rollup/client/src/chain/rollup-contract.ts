import { keccak256 } from '@tetrad/crypto';
import {
  ChainRpcError,
  RollupCodec,
  readAnnouncedKeys,
  readBatchLayout,
  readMinDeposit,
  type BatchLayout,
  type EthereumClient,
  type EthereumReceipt,
  type PublishedBatch,
} from '@tetrad/rollup-chain';
import { encodeWord, isOnCurve, rollupDomain, type Point } from '@tetrad/rollup-crypto';
import {
  OperatorError,
  ZERO_ADDRESS,
  bytesFromHex,
  hexFromBytes,
  parseAddress,
  type Address,
  type Hex,
} from '@tetrad/types';
import type { RollupParameters } from '../operations/sign-operation.js';
import { sendTransaction, type SendOptions } from './send-transaction.js';

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

/** The contract refuses a call; `reason` is the name of its error. */
export class ContractRefusal extends OperatorError {
  override readonly name = 'ContractRefusal';

  constructor(readonly reason: string) {
    super(`the rollup contract rejects it: ${reason}`);
  }
}

/** A deposit is below what the contract takes; nothing was sent. */
export class DepositTooLowError extends OperatorError {
  override readonly name = 'DepositTooLowError';

  /** In: units of the rollup */
  constructor(
    amount: bigint,
    readonly minimum: bigint,
  ) {
    super(`amount: the contract takes deposits of ${minimum} or more units, not ${amount}`);
  }
}

/** When an open request is overdue and when it expires; Unix time in seconds. */
export interface RequestTimes {
  readonly overdueAt: number;
  readonly expiresAt: number;
}

/** A transfer out as it is requested: account, recipient, token and amount. */
export interface RequestedTransfer {
  readonly fromAccountId: number;
  readonly toEthereumAddress: Address;
  readonly tokenId: number;
  /** Units of the rollup. */
  readonly amount: bigint;
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
  ) {}

  /** Fails: OperatorError when the address holds no rollup contract, or it is of another chain */
  static async open(client: EthereumClient, address: Address): Promise<RollupContract> {
    const codec = await RollupCodec.load();
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
    return new RollupContract(client, address, codec, domain, keys, layout, minDeposit);
  }

  /** Encryption keys that the operator had announced when this was last asked, the present one last. */
  get operatorKeys(): readonly Point[] {
    return this.keys;
  }

  /** The operator's half of the joint key of an account that is made now. */
  get operatorKey(): Point {
    return this.keys.at(-1) as Point;
  }

  /** Whether an account may have the key: it may have been announced since. Fails: as `readAnnouncedKeys` */
  async knowsOperatorKey(key: Point): Promise<boolean> {
    const isKnown = () => this.keys.some(({ x, y }) => x === key.x && y === key.y);
    if (isKnown()) return true;
    this.keys = (await readAnnouncedKeys(this.client, this.address)) ?? this.keys;
    return isKnown();
  }

  /** Height of the last batch and the root after it. In: the block, by default the latest. */
  async state(block: number | 'latest' = 'latest'): Promise<ContractState> {
    const [height, stateRoot] = await Promise.all([
      this.read('height', [], block),
      this.read('stateRoot', [], block),
    ]);
    return { height: Number(height), stateRoot };
  }

  /** State root after a batch; 0 for one that was not accepted. */
  stateRootAt(height: number): Promise<bigint> {
    return this.read('stateRootAt', [height]);
  }

  /** Fails: OperatorError when the contract has no such token */
  async token(id: number): Promise<RollupToken> {
    const count = await this.read('tokenCount', []);
    if (BigInt(id) >= count)
      throw new OperatorError(`token ${id} is unknown: the rollup has ${count}, from 0`);
    const data = await this.call('tokens', [id]);
    const [address, unit] = this.codec.decodeResult('tokens', data);
    return { id, address: parseAddress(String(address)), unit: unit as bigint };
  }

  /**
   * Takes ether from the sender for an account. In: units of the rollup, each of which is `unit` wei.
   *
   * Fails: DepositTooLowError; as `send`
   */
  async depositEther(
    input: { readonly accountId: number; readonly amount: bigint },
    options: SendOptions,
  ): Promise<EthereumReceipt> {
    this.assertDeposit(input.amount);
    const { unit } = await this.token(0);
    return this.send('registerInboundTransferETH', [input.accountId], {
      ...{ ...options, value: input.amount * unit },
    });
  }

  /** Takes tokens that the sender has allowed the contract to take. In: units of the rollup. Fails: as `depositEther` */
  async depositToken(
    input: { readonly accountId: number; readonly tokenId: number; readonly amount: bigint },
    options: SendOptions,
  ): Promise<EthereumReceipt> {
    const { accountId, tokenId, amount } = input;
    this.assertDeposit(amount);
    return this.send('registerInboundTransferERC20', [accountId, tokenId, amount], options);
  }

  /** Requests on the chain a transfer that the operator does not make; once overdue, anyone may make it with a proof. */
  requestOutboundTransfer(transfer: RequestedTransfer, options: SendOptions): Promise<EthereumReceipt> {
    return this.send('requestOutboundTransfer', valuesOf(transfer), options);
  }

  /** Out: undefined for a transfer that is not requested, or whose request is answered or expired. */
  async requestTimes(transfer: RequestedTransfer): Promise<RequestTimes | undefined> {
    const words = valuesOf(transfer).map((value) => encodeWord(BigInt(value)));
    const hash = keccak256(Buffer.concat(words));
    const answer = await this.call('requestTimes', [hash]);
    const [overdueAt, expiresAt] = this.codec.decodeResult('requestTimes', answer);
    return overdueAt === 0n ? undefined : { overdueAt: Number(overdueAt), expiresAt: Number(expiresAt) };
  }

  /** Whether the contract takes batches of that size. */
  async takesSize(size: number): Promise<boolean> {
    const data = await this.call('verifiers', [size]);
    return parseAddress(String(this.codec.decodeResult('verifiers', data)[0])) !== ZERO_ADDRESS;
  }

  /** Sends one of the contract's functions. Fails: OperatorError naming the error of the contract; as `sendTransaction` */
  send(
    name: string,
    values: readonly unknown[],
    options: SendOptions & { readonly value?: bigint },
  ): Promise<EthereumReceipt> {
    return this.sendData(this.codec.encodeCall(name, values), options);
  }

  /** Sends a batch in the layout of the contract. Fails: as `send` */
  submitBatch(batch: PublishedBatch, proof: Uint8Array, options: SendOptions): Promise<EthereumReceipt> {
    return this.sendData(this.codec.encodeSubmitBatch(batch, proof, this.batchLayout), options);
  }

  private async sendData(
    data: Hex,
    options: SendOptions & { readonly value?: bigint },
  ): Promise<EthereumReceipt> {
    try {
      const call = { to: this.address, data: bytesFromHex(data), value: options.value ?? 0n };
      return await sendTransaction(this.client, call, options);
    } catch (error) {
      const reason = this.revertReason(error);
      throw reason === undefined ? error : new ContractRefusal(reason);
    }
  }

  /** A function that gives one word. */
  read(name: string, values: readonly unknown[], block: number | 'latest' = 'latest'): Promise<bigint> {
    return readWord(this, name, values, block);
  }

  private assertDeposit(amount: bigint): void {
    if (amount < this.minDeposit) throw new DepositTooLowError(amount, this.minDeposit);
  }

  private async call(name: string, values: readonly unknown[]): Promise<Hex> {
    const data = bytesFromHex(this.codec.encodeCall(name, values));
    return hexFromBytes(await this.client.call({ to: this.address, data }));
  }

  private revertReason(error: unknown): string | undefined {
    if (!(error instanceof ChainRpcError) || error.data === undefined) return undefined;
    return this.codec.errorName(hexFromBytes(error.data));
  }
}

const valuesOf = ({ fromAccountId, toEthereumAddress, tokenId, amount }: RequestedTransfer) => [
  ...[fromAccountId, toEthereumAddress, tokenId, amount],
];

async function readWord(
  { client, address, codec }: Pick<RollupContract, 'client' | 'address' | 'codec'>,
  name: string,
  values: readonly unknown[],
  block: number | 'latest' = 'latest',
): Promise<bigint> {
  const data = bytesFromHex(codec.encodeCall(name, values));
  const answer = await client.call({ to: address, data }, block);
  if (answer.length !== 32)
    throw new OperatorError(`no rollup contract at ${address}: ${name} does not return a word`);
  return codec.decodeResult(name, hexFromBytes(answer))[0] as bigint;
}
