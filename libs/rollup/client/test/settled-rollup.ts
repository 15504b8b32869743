import { SizedProvers } from '@tetrad/rollup-circuits';
import { deployRollup, publishedBatch } from '@tetrad/rollup-chain';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { applyBatch, type AccountRecovery, type RollupOperation } from '@tetrad/rollup-state';
import type { Address } from '@tetrad/types';
import { startChain, type TestChain } from '../../chain/test/anvil-chain.js';
import { deployWithTurns } from '../../chain/test/contract-with-turns.js';
import { deployEarlierVerifiers } from '../../chain/test/contract-without-consents.js';
import { startStatedChain } from '../../chain/test/stated-chain.js';
import { deployStatedRollup, deployStatedVerifiers, statedProof } from '../../chain/test/stated-proofs.js';
import {
  RollupContract,
  connectEthereum,
  recoverAccount,
  signAccountCreation,
  type RollupKeys,
} from '../src/index.js';

export const UNIT = 1_000_000_000n;
export const TIMEOUT = 3600;
const TURN_BLOCKS = 4;
const SIZES = [2];
const operatorKey = multiplyGenerator(99n);
const TERMS = { operatorKey, stallTimeoutSeconds: TIMEOUT, etherUnit: UNIT, sizes: SIZES };

/** A rollup on anvil whose batches are made on demand, as by an operator that keeps nothing. */
export class SettledRollup {
  private constructor(
    readonly chain: TestChain,
    readonly contract: RollupContract,
    private readonly provers = new SizedProvers(),
  ) {}

  /**
   * @param options.hasTurns - whether it is the contract that was deployed before the present one
   * @param options.isReleased - whether clients see the contract of a release, and verifiers of it
   */
  static async start({ hasTurns = false, isReleased = false } = {}): Promise<SettledRollup> {
    if (isReleased) return SettledRollup.startReleased();
    const chain = await startChain();
    const [operator] = chain.accounts as [Address];
    const address = hasTurns
      ? await deployWithTurns(
          chain.create,
          { operator, operatorKey, verifiers: await earlierVerifiers(chain) },
          { stallTimeout: TIMEOUT, turnBlocks: TURN_BLOCKS, etherUnit: UNIT },
        )
      : await deployStatedRollup(chain.create, { ...TERMS, operator });
    const contract = await RollupContract.open(connectEthereum(chain.url), address);
    return new SettledRollup(chain, contract);
  }

  private static async startReleased(): Promise<SettledRollup> {
    const chain = await startStatedChain();
    const [operator] = chain.accounts as [Address];
    const address = await deployRollup(chain.create, { ...TERMS, operator });
    const contract = await RollupContract.open(connectEthereum(chain.url), address);
    const [verifier] = await contract.values('verifiers', SIZES);
    await chain.stateProofs(verifier as Address);
    return new SettledRollup(chain, contract);
  }

  async fund(address: Address): Promise<void> {
    await this.chain.ask('anvil_setBalance', [address, `0x${(10n ** 20n).toString(16)}`]);
  }

  /** What the keys can read of the state as the chain has it now. */
  async stateOf(keys: RollupKeys, contract = this.contract): Promise<AccountRecovery> {
    const toBlock = await contract.client.blockNumber();
    return recoverAccount(contract, keys, { fromBlock: 0, toBlock });
  }

  /**
   * Makes a batch that has a proof, and submits it with a statement in place of that.
   * @param operations - of the keys' account, of new accounts, or deposits
   * @throws WitnessError for what has no proof; Error that names why the contract refuses
   */
  async settle(keys: RollupKeys, ...operations: RollupOperation[]): Promise<void> {
    const { chain, contract, provers } = this;
    const state = await this.stateOf(keys);
    const { domain, hasConsents } = contract;
    const batch = applyBatch(state, { ...state.next, domain, hasConsents, size: 2 }, operations);
    const failed = batch.results.find(({ status }) => status !== 'EXECUTED');
    if (failed !== undefined) throw new Error(`an operation is ${failed.status}`);
    const { witness } = batch;
    const { proof } = await statedProof(provers, witness);
    const published = publishedBatch(batch.publicInputs, batch.ciphertexts);
    const data = contract.codec.encodeSubmitBatch(published, proof);
    const call = { from: chain.accounts[0] as Address, to: contract.address, data };
    const refusal = await chain.revertData(call);
    if (refusal !== undefined) throw new Error(`the contract refuses: ${contract.codec.errorName(refusal)}`);
    await chain.send(call);
  }

  creation(keys: RollupKeys, accountId: number): RollupOperation {
    return this.creationWith(this.contract, keys, accountId);
  }

  /** As `creation`, by a client that reads the contract later. */
  creationWith(contract: RollupContract, keys: RollupKeys, accountId: number): RollupOperation {
    const { operation, signature } = signAccountCreation(contract, keys);
    return { ...operation, signature, accountId };
  }

  /** Registers deposits of ether for an account and settles them in one batch. */
  async deposit(payer: RollupKeys, accountId: number, ...amounts: readonly bigint[]): Promise<void> {
    const first = Number(await this.contract.read('depositCount', []));
    for (const amount of amounts)
      await this.contract.depositEther({ accountId, amount }, { key: payer.ethereumKey });
    const taken = amounts.map(
      (amount, index) =>
        ({
          kind: 'inboundTransfer',
          index: first + index,
          accountId,
          tokenId: 0,
          amount,
        }) as const,
    );
    await this.settle(payer, ...taken);
  }

  /** Units of ether that an address has. */
  async unitsOf(address: Address): Promise<bigint> {
    return BigInt(await this.chain.ask<string>('eth_getBalance', [address, 'latest'])) / UNIT;
  }

  async stop(): Promise<void> {
    await this.contract.client.close();
    await this.provers.close();
    await this.chain.stop();
  }
}

/** Holders prove batches themselves, so that proofs are checked too. */
async function earlierVerifiers({ create }: TestChain): ReturnType<typeof deployStatedVerifiers> {
  return deployStatedVerifiers(create, await deployEarlierVerifiers(create, SIZES));
}
