import { addressFromPrivateKey } from '@tetrad/crypto';
import { bumpedFees, type ChainRpcError, type EthereumClient, type Fees } from '@tetrad/rollup-chain';
import type { Address, Hash } from '@tetrad/types';
import { lookAtAccount, type AccountLook } from './account-look.js';
import { feesWithin, flightStep, type Flight, type FlightEnd, type FlightView } from './flight-rule.js';
import { signCall, submitSigned } from './raw-transactions.js';
import type { ContractCall } from './send-transaction.js';

export interface WindowOptions {
  readonly client: Pick<
    EthereumClient,
    'chainId' | 'gasPrice' | 'head' | 'nonce' | 'receipt' | 'sendRaw' | 'transaction'
  >;
  readonly privateKey: Uint8Array;
  /** Maximum fee for a unit of gas, in wei. */
  readonly maxFee: bigint;
  /** Called as soon as a transaction can be looked up. */
  onSent(hash: Hash): void;
}

/** What a transaction was sent for, and what became of it. */
export interface Ended<Load> {
  readonly load: Load;
  readonly outcome: FlightEnd;
}

/** Every client keeps so many of an account: geth promises 16. */
const MAX_UNDER_WAY = 16;
/** Their limits of gas together, in blocks: the next one, and what follows it before the next look. */
const BLOCKS_AHEAD = 2n;
/** Blocks without any transaction of the account after which those that are pending from before are replaced, or a hole is filled. */
const STUCK_BLOCKS = 10;
const HOLE_BLOCKS = 2;
/** Refusals in a row while nothing is under way. */
const MAX_REFUSALS = 5;
/** Of a transfer of nothing. */
const PLAIN_GAS = 21_000n;

type Sent<Load> = Flight & {
  readonly call: ContractCall;
  readonly gasLimit: bigint;
  readonly raw: Uint8Array;
  /** Undefined for one that only fills a hole. */
  readonly load: Load | undefined;
};

/**
 * Several transactions of an account under way at once, with consecutive nonces. It keeps nothing on disk: what an earlier process
 * sent is waited for, and while another one sends, one is under way at a time. What the client drops is sent again, what is too cheap offers more,
 * and what lost its nonce to another transaction is handed back.
 */
export class TransactionWindow<Load> {
  readonly address: Address;
  private flights: Sent<Load>[] = [];
  private seen: AccountLook | undefined;
  private chain: bigint | undefined;
  /** Nonce behind what was pending at the first look. */
  private barrier = 0;
  /** Block at which the account's nonce was first seen as it is. */
  private minedSince = 0;
  /** The client took no more. */
  private isHeld = false;
  private refusals = 0;

  constructor(private readonly options: WindowOptions) {
    this.address = addressFromPrivateKey(options.privateKey);
  }

  get isEmpty(): boolean {
    return this.flights.length === 0;
  }

  /** Transactions from before the first look that are not mined. */
  get earlier(): number {
    return Math.max(0, this.barrier - (this.seen?.mined ?? 0));
  }

  /** What gas costs, in wei, and the most that is paid, while that is less; otherwise undefined. */
  get tooDear(): { readonly price: bigint; readonly most: bigint } | undefined {
    if (this.seen === undefined) return undefined;
    const { baseFee, gasPrice } = this.seen.market;
    const [price, most] = [baseFee ?? gasPrice, this.options.maxFee];
    return price > most ? { price, most } : undefined;
  }

  /**
   * Looks at the chain, and does what each transaction under way needs.
   *
   * @returns those that ended since the last look
   * @throws ChainUnavailableError; ChainRpcError
   */
  async look(): Promise<readonly Ended<Load>[]> {
    const { client } = this.options;
    this.chain ??= await client.chainId();
    const before = this.seen;
    const seen = (this.seen = await lookAtAccount(client, this.address));
    const behind = Math.max(seen.pending, seen.mined);
    if (before === undefined) this.barrier = behind;
    // What was dropped is not waited for.
    else if (this.isEmpty) this.barrier = Math.min(this.barrier, behind);
    if (before === undefined || before.mined !== seen.mined) {
      this.minedSince = seen.block;
      this.refusals = 0;
    }
    const hasNewBlock = before?.block !== seen.block;
    const ended: Ended<Load>[] = [];
    for (const flight of [...this.flights]) {
      const outcome = await this.advance(flight, seen, hasNewBlock);
      if (outcome === undefined) continue;
      this.flights = this.flights.filter(({ nonce }) => nonce !== flight.nonce);
      if (flight.load !== undefined) ended.push({ load: flight.load, outcome });
    }
    if (this.isEmpty) this.isHeld = false;
    else if (hasNewBlock) await this.fillHole(seen);
    return ended;
  }

  /**
   * Whether another transaction may be sent now.
   * @param gasLimit - its limit of gas
   */
  hasRoom(gasLimit: bigint): boolean {
    if (this.seen === undefined || this.isHeld || this.tooDear !== undefined) return false;
    if (this.isEmpty) return this.earlier === 0 || this.isStuck(STUCK_BLOCKS);
    // Another process uses the account: what it sends may be for the same, so no more than one is at stake.
    if (this.seen.pending > this.nextNonce(this.seen)) return false;
    const { blockGas } = this.seen;
    const gas = this.flights.reduce((sum, flight) => sum + flight.gasLimit, gasLimit);
    return this.flights.length < MAX_UNDER_WAY && (blockGas === undefined || gas <= BLOCKS_AHEAD * blockGas);
  }

  /**
   * Signs and sends a call. Call it when there is room.
   *
   * @param call - of a contract
   * @param gasLimit - of the transaction
   * @param load - what it is sent for
   * @returns false when the client does not take it now
   * @throws ChainUnavailableError; ChainRpcError when it takes none though nothing is under way
   */
  async send(call: ContractCall, gasLimit: bigint, load: Load): Promise<boolean> {
    const { seen } = this;
    const fees = seen === undefined ? undefined : this.offer(seen);
    if (seen === undefined || fees === undefined) return false;
    const nonce = this.earlier > 0 ? seen.mined : Math.max(seen.pending, this.nextNonce(seen));
    const refusal = await this.put({ nonce, call, gasLimit, fees, load });
    if (refusal === undefined) {
      this.refusals = 0;
      return true;
    }
    this.isHeld = true;
    if (this.isEmpty && seen.pending <= seen.mined) this.refusals += 1;
    if (this.refusals === MAX_REFUSALS) throw refusal;
    return false;
  }

  /** @returns how it ended; undefined while it is under way */
  private async advance(
    flight: Sent<Load>,
    seen: AccountLook,
    hasNewBlock: boolean,
  ): Promise<FlightEnd | undefined> {
    const { block, mined, market } = seen;
    const isUsed = flight.nonce < mined;
    const view: FlightView = {
      block,
      mined,
      market,
      maxFee: this.options.maxFee,
      status: isUsed ? await this.statusOf(flight) : undefined,
      isKnown: isUsed || !hasNewBlock || (await this.isKnown(flight)),
      firstSince: flight.nonce === mined ? this.minedSince : undefined,
    };
    const step = flightStep(flight, view);
    if (step.do === 'end') return step.outcome;
    if (step.do === 'lookAgain') this.replace({ ...flight, missed: flight.missed + 1 });
    if (step.do === 'resend') await submitSigned(this.options.client, flight.raw);
    if (step.do === 'raise') await this.raise(flight, step.fees, view.isKnown);
    return undefined;
  }

  /** A refusal changes nothing: it is looked at again in the next block. */
  private async raise(flight: Sent<Load>, fees: Fees, isKnown: boolean): Promise<void> {
    const refusal = await this.put({ ...flight, fees });
    if (refusal !== undefined && !isKnown) await submitSigned(this.options.client, flight.raw);
  }

  private async statusOf({ hashes }: Flight): Promise<number | undefined> {
    for (const hash of hashes) {
      const receipt = await this.options.client.receipt(hash);
      if (receipt !== undefined) return receipt.status;
    }
    return undefined;
  }

  private async isKnown({ hashes }: Flight): Promise<boolean> {
    return (await this.options.client.transaction(hashes.at(-1) as Hash)) !== undefined;
  }

  /** Blocks that left the chain may leave a nonce that nothing has, and all behind it would wait for good. */
  private async fillHole(seen: AccountLook): Promise<void> {
    const isHole = seen.pending <= seen.mined && this.flights.every(({ nonce }) => nonce > seen.mined);
    if (!isHole || !this.isStuck(HOLE_BLOCKS)) return;
    const fees = this.offer(seen);
    const call = { to: this.address, data: new Uint8Array() };
    if (fees !== undefined)
      await this.put({ nonce: seen.mined, call, gasLimit: PLAIN_GAS, fees, load: undefined });
  }

  private isStuck(blocks: number): boolean {
    return this.seen !== undefined && this.seen.block - this.minedSince >= blocks;
  }

  private nextNonce({ mined }: AccountLook): number {
    return Math.max(mined, ...this.flights.map(({ nonce }) => nonce + 1));
  }

  /** More with each refusal, and where it takes the place of another one: it may be that one that is in the way. */
  private offer({ market }: AccountLook): Fees | undefined {
    const { maxFee } = this.options;
    let fees = feesWithin(market, maxFee);
    for (
      let raises = this.refusals + (this.earlier > 0 ? 1 : 0);
      raises > 0 && fees !== undefined;
      raises -= 1
    )
      fees = bumpedFees(fees, market, maxFee) ?? fees;
    return fees;
  }

  /**
   * Signs one, or another version of one, and sends it.
   * @returns why the client does not take it
   */
  private async put(
    wanted: Pick<Sent<Load>, 'call' | 'fees' | 'gasLimit' | 'load' | 'nonce'> & {
      readonly hashes?: readonly Hash[];
    },
  ): Promise<ChainRpcError | undefined> {
    const { call, nonce, gasLimit, fees, load, hashes = [] } = wanted;
    const { client, privateKey, onSent } = this.options;
    const isLegacy = this.seen?.market.baseFee === undefined;
    const at = { chainId: this.chain ?? 0n, nonce, gasLimit, isLegacy };
    const { raw, hash } = signCall(call, { ...at, ...fees }, privateKey);
    const refusal = await submitSigned(client, raw);
    if (refusal !== undefined && (await client.transaction(hash)) === undefined) return refusal;
    const sentAt = this.seen?.block ?? 0;
    this.replace({ nonce, call, gasLimit, fees, load, raw, hashes: [...hashes, hash], sentAt, missed: 0 });
    onSent(hash);
    return undefined;
  }

  private replace(flight: Sent<Load>): void {
    const others = this.flights.filter(({ nonce }) => nonce !== flight.nonce);
    this.flights = [...others, flight].sort((one, other) => one.nonce - other.nonce);
  }
}
