import type { RollupCodec } from './contract/rollup-contract.js';
import { rollupDomain, type Point } from '@tetrad/rollup-crypto';
import {
  OperatorError,
  ZERO_ADDRESS,
  hexFromBytes,
  parseAddress,
  bytesFromHex,
  type Address,
} from '@tetrad/types';
import type { Result } from 'ethers/abi';
import { hasConsents, readBatchLayout, type BatchLayout } from './contract/batch-layout.js';
import { readExitRules, type ExitRules } from './contract/exit-rules.js';
import { readMinDeposit } from './contract/min-deposit.js';
import { readAnnouncedKeys } from './contract/operator-keys.js';
import type { ServingTerms } from './contract/request-load.js';
import { ChainUnavailableError, type EthereumClient, type StateName } from './ethereum-client.js';
import type { EthereumBlock } from './ethereum-methods.js';

/** Which rollup it is, and whose. */
export interface RollupConstants {
  readonly chainId: bigint;
  readonly domain: bigint;
  readonly operator: Address;
  /** Encryption keys of the operator, the present one last; contracts of earlier versions have one. */
  readonly operatorKeys: readonly Point[];
}

/** Where the contract is: batches that it accepted, and the state after them. */
export interface RollupHead {
  readonly height: number;
  readonly stateRoot: bigint;
}

/** What the contract keeps of a request. */
export interface RequestRecord {
  /** Unix time at which it was made. */
  readonly since: number;
  /** That of its token at which it has had its share, and is overdue unless it is younger than the time-out. */
  readonly progress: bigint;
}

/** By when a request or a deposit is to be served, in Unix time. */
export interface DueTimes {
  readonly overdueAt: number;
  /** Undefined while no freeze by it is announced. */
  readonly announcedAt: number | undefined;
}

/** A block whose state is read, and its Unix time in seconds. */
export type ReadBlock = Pick<EthereumBlock, 'hash' | 'number' | 'timestamp'>;

/** Looks at the head until both answers are of one state. */
const HEAD_LOOKS = 3;

/** Places in what `deposits` and `requests` answer. */
const DEPOSIT_DUE = 3;
const DEPOSIT_ANNOUNCED = 5;
const REQUEST_ANNOUNCED = 4;

/** Reads the state of the contract by calls. */
export class RollupReader {
  private layout: Promise<BatchLayout> | undefined;

  constructor(
    private readonly client: EthereumClient,
    private readonly codec: RollupCodec,
    readonly contract: Address,
  ) {}

  /** @throws OperatorError without a rollup contract at the address */
  async constants(): Promise<RollupConstants> {
    if ((await this.client.code(this.contract)).length === 0)
      throw new OperatorError(`no contract at ${this.contract}`);
    const chainId = await this.client.chainId();
    const domain = await this.word('domain');
    if (domain !== rollupDomain(chainId, this.contract))
      throw new OperatorError(`the contract at ${this.contract} is not a rollup of chain ${chainId}`);
    return {
      chainId,
      domain,
      operatorKeys: await this.operatorKeys(),
      operator: parseAddress(String((await this.read('operator'))[0])),
    };
  }

  private async operatorKeys(): Promise<readonly Point[]> {
    const announced = await readAnnouncedKeys(this.client, this.contract);
    return announced ?? [{ x: await this.word('operatorKeyX'), y: await this.word('operatorKeyY') }];
  }

  /**
   * Both of one state, whatever becomes of the chain meanwhile: of one block by its hash, and no root of a height is another one later. A
   * client that makes a block may answer about the one before from the new state at first, and from the old one afterwards, which has no
   * root of that height.
   *
   * @param block - whose state
   * @returns what the contract says
   * @throws ChainUnavailableError, also when the client does not have the block, or answers from two states; ChainRpcError
   */
  async head(block: StateName = 'latest'): Promise<RollupHead> {
    for (let look = 0; look < HEAD_LOOKS; look += 1) {
      const state = await this.client.stateAt(block);
      const height = Number(await this.word('height', [], state));
      const stateRoot = await this.word('stateRootAt', [height], state);
      if (stateRoot !== 0n) return { height, stateRoot };
    }
    throw new ChainUnavailableError('the Ethereum client answers from two states of the contract');
  }

  /** The newest block, with its Unix time in seconds. */
  async latestBlock(): Promise<ReadBlock> {
    const { number, hash, timestamp } = await this.client.head();
    return { number, hash, timestamp };
  }

  /**
   * How the contract has batches written; read once.
   * @throws ArtifactError; ChainUnavailableError
   */
  async batchLayout(): Promise<BatchLayout> {
    this.layout ??= readBatchLayout(this.client, this.contract);
    try {
      return await this.layout;
    } catch (error) {
      this.layout = undefined;
      throw error;
    }
  }

  /**
   * Whether its accounts can have consents (docs/adr/0253).
   * @throws as `batchLayout`
   */
  async hasConsents(): Promise<boolean> {
    return hasConsents(await this.batchLayout());
  }

  /**
   * How holders leave it when it is not served.
   * @throws ArtifactError; as `readLaterView`
   */
  exitRules(): Promise<ExitRules> {
    return readExitRules(this.client, this.contract);
  }

  /**
   * Of a contract that freezes.
   * @throws ChainRpcError for one that has turns
   */
  async isFrozen(block?: StateName): Promise<boolean> {
    return (await this.read('frozen', [], block))[0] === true;
  }

  /** Who may take over from the operator; undefined when no account was proposed. */
  async proposedOperator(): Promise<Address | undefined> {
    const proposed = parseAddress(String((await this.read('proposedOperator'))[0]));
    return proposed === ZERO_ADDRESS ? undefined : proposed;
  }

  /** Unix time from which the open request of an account is overdue, if as much is held as in the block; undefined without one. */
  async overdueAt(accountId: number, block?: StateName): Promise<number | undefined> {
    const time = Number(await this.word('overdueAt', [accountId], block));
    return time === 0 ? undefined : time;
  }

  /** The latest request of an account; undefined before the first. */
  async request(accountId: number, block?: StateName): Promise<RequestRecord | undefined> {
    const [, since, , progress] = await this.read('requests', [accountId], block);
    return since === 0n ? undefined : { since: Number(since), progress: progress as bigint };
  }

  /** As `overdueAt`, and whether a freeze by the request is announced. */
  async requestDue(accountId: number, block?: StateName): Promise<DueTimes | undefined> {
    const overdueAt = await this.overdueAt(accountId, block);
    if (overdueAt === undefined) return undefined;
    const announced = (await this.read('requests', [accountId], block))[REQUEST_ANNOUNCED] as bigint;
    return { overdueAt, announcedAt: timeOf(announced) };
  }

  /** How far each unit of a token has come (`RequestRecord.progress`). */
  progressOf(tokenId: number, block?: StateName): Promise<bigint> {
    return this.word('progressOf', [tokenId], block);
  }

  /** Units that the contract holds of a token. */
  async held(tokenId: number, block?: StateName): Promise<bigint> {
    return (await this.read('tokens', [tokenId], block))[2] as bigint;
  }

  /** Unix time from which the first deposit that waits is overdue; undefined when none waits. */
  async depositOverdueAt(block?: StateName): Promise<number | undefined> {
    const { next, count } = await this.waitingDeposits(block);
    return next === count ? undefined : (await this.depositDue(next, block)).overdueAt;
  }

  /** Index of the first deposit that waits, and of the next one that is made. */
  async waitingDeposits(block?: StateName): Promise<{ readonly next: number; readonly count: number }> {
    const next = Number(await this.word('nextDeposit', [], block));
    return { next, count: Number(await this.word('depositCount', [], block)) };
  }

  /** Of a deposit that was made; each is due no earlier than the one before it. */
  async depositDue(index: number, block?: StateName): Promise<DueTimes> {
    const deposit = await this.read('deposits', [index], block);
    const announcedAt = timeOf(deposit[DEPOSIT_ANNOUNCED] as bigint);
    return { overdueAt: Number(deposit[DEPOSIT_DUE]), announcedAt };
  }

  /** Seconds from the announcement of a freeze to the freeze. */
  async announcementSeconds(block?: StateName): Promise<number> {
    return Number(await this.word('announcementTime', [], block));
  }

  /** What the operator of a contract that freezes has to serve (`operationsPerTimeout`). */
  async servingTerms(block?: StateName): Promise<ServingTerms> {
    const number = async (name: string) => Number(await this.word(name, [], block));
    return {
      stallTimeoutSeconds: await number('stallTimeout'),
      requestsPerTimeout: await number('requestsPerTimeout'),
      depositsPerTimeout: await number('depositsPerTimeout'),
      tokens: await number('tokenCount'),
    };
  }

  /**
   * Smallest deposit, in units of the rollup.
   * @throws as `readLaterView`
   */
  minDeposit(): Promise<bigint> {
    return readMinDeposit(this.client, this.contract);
  }

  /** Whether the contract takes batches of that size. */
  async takesSize(size: number): Promise<boolean> {
    return parseAddress(String((await this.read('verifiers', [size]))[0])) !== ZERO_ADDRESS;
  }

  private async word(name: string, values: readonly unknown[] = [], block?: StateName): Promise<bigint> {
    return (await this.read(name, values, block))[0] as bigint;
  }

  private async read(name: string, values: readonly unknown[] = [], block?: StateName): Promise<Result> {
    const data = bytesFromHex(this.codec.encodeCall(name, values));
    return this.codec.decodeResult(
      name,
      hexFromBytes(await this.client.call({ to: this.contract, data }, block)),
    );
  }
}

/** The contract has 0 for none. */
const timeOf = (seconds: bigint): number | undefined => (seconds === 0n ? undefined : Number(seconds));
