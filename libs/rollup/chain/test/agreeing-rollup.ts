import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { ZERO_ADDRESS, type Address, type Hex } from '@tetrad/types';
import type { ServingTerms } from '../src/contract/request-load.js';
import { deployLibraries } from '../src/contract/deploy-rollup.js';
import { RollupCodec } from '../src/contract/rollup-contract.js';
import { deployAgreeingVerifier } from './agreeing-verifier.js';
import { RevertedError, type Receipt, type TestChain } from './anvil-chain.js';

export const UNIT = 1_000_000_000n;
export const TIMEOUT = 400;
/** From the announcement of a freeze to the freeze. */
export const ANNOUNCEMENT = 100;
/** Requests of a token, and deposits, in a time-out. */
export const RATE = 4;
const SHORT: ServingTerms = {
  stallTimeoutSeconds: TIMEOUT,
  requestsPerTimeout: RATE,
  depositsPerTimeout: RATE,
  tokens: 1,
};
const GAS = 20_000_000n;
/** Of batches. */
export const SIZE = 4;

/** An operation as the contract sees it. */
export interface Header {
  readonly kind: 'none' | 'create' | 'transfer' | 'deposit';
  readonly account?: number;
  readonly amount?: bigint;
  readonly recipient?: Address;
  /** First words of the text of a creation; by default of a whole one, another one for each account. */
  readonly text?: readonly bigint[];
}

export interface DeployOptions {
  readonly minDeposit?: bigint;
  /** Names of functions to leave out, as in a contract of an earlier version. */
  readonly without?: readonly string[];
  /** What the contract promises; by default what a test waits for. */
  readonly terms?: ServingTerms;
}

const KINDS = { none: 0n, create: 1n, transfer: 4n, deposit: 5n };

/** The rollup contract over a verifier to which every proof holds: whose batch it accepts, without proofs. */
export class AgreeingRollup {
  private constructor(
    readonly chain: TestChain,
    readonly codec: RollupCodec,
    readonly contract: Address,
  ) {}

  static async deploy(
    chain: TestChain,
    { minDeposit = 1n, without = [], terms: serving = SHORT }: DeployOptions = {},
  ): Promise<AgreeingRollup> {
    const codec = new RollupCodec();
    const verifier = await deployAgreeingVerifier(chain.create);
    const { x, y } = multiplyGenerator(99n);
    const sized = [{ size: SIZE, verifier }];
    const { stallTimeoutSeconds, requestsPerTimeout, depositsPerTimeout } = serving;
    const terms = [stallTimeoutSeconds, requestsPerTimeout, depositsPerTimeout, UNIT, minDeposit];
    const values = [chain.accounts[0], [x, y], terms, sized];
    const bytecode = without.reduce(
      (code, name) => withoutFunction(code, codec, name),
      await deployLibraries(chain.create),
    );
    const contract = await chain.create(bytecode + codec.abi.encodeDeploy(values).slice(2));
    return new AgreeingRollup(chain, codec, contract);
  }

  /** Name of the error with which a call would be refused, in the latest block; otherwise it is sent. */
  send(from: Address, name: string, values: readonly unknown[], value = 0n): Promise<Receipt | string> {
    return this.sendData(from, this.codec.encodeCall(name, values), value);
  }

  async sendData(from: Address, input: Hex, value = 0n): Promise<Receipt | string> {
    const call = { from, to: this.contract, data: input, value, gas: GAS };
    const data = await this.chain.revertData(call);
    if (data !== undefined) return this.codec.errorName(data) ?? data;
    return this.chain.send(call).catch((error: unknown) => {
      // Its block may be a second after the one of the call.
      if (error instanceof RevertedError) return 'RevertedInBlock';
      throw error;
    });
  }

  async read(name: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
    const data = this.codec.encodeCall(name, values);
    const answer = await this.chain.ask<Hex>('eth_call', [{ to: this.contract, data }, 'latest']);
    return this.codec.decodeResult(name, answer);
  }

  submit(from: Address, headers: readonly Header[]): Promise<Receipt | string> {
    return this.sendData(from, this.batchOf(headers));
  }

  /** `accepted`, or the name of the error with which the batch would be refused; changes nothing. */
  async check(from: Address, headers: readonly Header[]): Promise<string> {
    const data = await this.chain.revertData({ from, to: this.contract, data: this.batchOf(headers) });
    return data === undefined ? 'accepted' : (this.codec.errorName(data) ?? data);
  }

  private batchOf(headers: readonly Header[]): Hex {
    const padded = Array.from({ length: SIZE }, (_, index) => headers[index] ?? { kind: 'none' as const });
    const zeros = padded.map(() => 0n);
    const batch = {
      nextStateRoot: 1n,
      ordersRoot: 0n,
      ciphertextCommitment: 0n,
      leaves: zeros,
      orders: zeros,
      headers: padded.map(({ kind, account = 0, amount = 0n }) =>
        kind === 'none' ? 0n : (KINDS[kind] << 128n) | (BigInt(account) << 96n) | amount,
      ),
      recipients: padded.map(({ recipient = ZERO_ADDRESS }) => recipient),
      ciphertexts: padded.flatMap(({ kind, account = 0, text = [5n, BigInt(account)] }) =>
        Array.from({ length: 15 }, (_, index) => (kind === 'create' ? (text[index] ?? 0n) : 0n)),
      ),
    };
    return this.codec.encodeSubmitBatch(batch, new Uint8Array());
  }

  async passBlocks(count: number): Promise<void> {
    for (let block = 0; block < count; block += 1) await this.chain.ask('evm_mine');
  }

  async now(): Promise<number> {
    return Number(
      (await this.chain.ask<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])).timestamp,
    );
  }

  /** Moves the clock to a time of a request. */
  async passUntil(seconds: number): Promise<void> {
    const left = seconds - (await this.now());
    if (left > 0) await this.chain.passTime(left);
  }
}

/** Gives the function the next selector, wherever the dispatcher compares with it, so that a call of it finds no function. */
function withoutFunction(bytecode: string, { abi }: RollupCodec, name: string): string {
  const selector = abi.getFunction(name)?.selector.slice(2) as string;
  const next = (BigInt(`0x${selector}`) + 1n).toString(16).padStart(8, '0');
  const changed = bytecode.replaceAll(`63${selector}`, `63${next}`);
  if (changed === bytecode) throw new Error(`the dispatcher does not know ${name}`);
  return changed;
}
