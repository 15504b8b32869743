import { publishedBatch, type PublishedBatch } from '@tetrad/rollup-chain';
import { BUILT_SIZES, BatchProver } from '@tetrad/rollup-circuits';
import { applyBatch, type AccountRecovery, type RollupOperation } from '@tetrad/rollup-state';
import { OperatorError, type Address } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import { signOutboundTransfer, signRedemption } from '../operations/sign-operation.js';
import type { PlannedBatch } from './exit-plan.js';
import { takesSize } from './turn-requests.js';

/** A batch of an exit with its proof; good until another batch is accepted. */
export interface ProvedBatch {
  readonly height: number;
  readonly published: PublishedBatch;
  readonly proof: Uint8Array;
}

/**
 * Operations of a batch with which an account can leave: a redemption and a transfer at least.
 * @throws OperatorError when the contract takes none of the sizes that this host can prove
 */
export async function exitSize(contract: RollupContract): Promise<number> {
  for (const size of BUILT_SIZES) if (size >= 2 && (await takesSize(contract, size))) return size;
  throw new OperatorError('the contract takes no batch that this host has a circuit for');
}

/** Signs and proves batches of an exit. */
export class ExitProver {
  private readonly prover: Promise<BatchProver>;
  private made: { readonly key: string; readonly batch: ProvedBatch } | undefined;

  constructor(
    private readonly contract: RollupContract,
    private readonly keys: RollupKeys,
    readonly size: number,
  ) {
    // Contracts with turns have no consents.
    this.prover = BatchProver.open({ size, hasConsents: false });
    // The failure is that of the first proof.
    this.prover.catch(() => undefined);
  }

  /**
   * The proof of before while the state is the same.
   * @throws OperatorError for what cannot be executed; CircuitError
   */
  async prove(recovery: AccountRecovery, plan: PlannedBatch, recipient: Address): Promise<ProvedBatch> {
    const { height } = recovery.next;
    const transfers = plan.transfers.map(({ tokenId, amount }) => `${tokenId}/${amount}`);
    const key = [height, ...transfers].join(' ');
    if (this.made?.key === key) return this.made.batch;
    const operations = this.sign(recovery, plan, recipient);
    const batch = applyBatch(
      recovery,
      { ...recovery.next, domain: this.contract.domain, size: this.size },
      operations,
    );
    const failed = batch.results.find(({ status }) => status !== 'EXECUTED');
    if (failed !== undefined)
      throw new OperatorError(`an operation of the exit cannot be executed: ${failed.status}`);
    const { proof } = await (await this.prover).prove(batch.witness);
    const published = publishedBatch(batch.publicInputs, batch.ciphertexts);
    this.made = { key, batch: { height, published, proof } };
    return this.made.batch;
  }

  async close(): Promise<void> {
    await (await this.prover.catch(() => undefined))?.close();
  }

  private sign(recovery: AccountRecovery, plan: PlannedBatch, recipient: Address): RollupOperation[] {
    const { own } = recovery;
    if (own === undefined) throw new OperatorError('the account does not exist');
    let { nonce } = own;
    const ownKeys = { domain: this.contract.domain, operatorKey: own.jointKey.operator };
    const redemptions = plan.redeemed.map((received) => {
      nonce += 1;
      const { operation, signature } = signRedemption(ownKeys, this.keys, { ...received, nonce });
      return { ...operation, signature };
    });
    const transfers = plan.transfers.map((planned) => {
      nonce += 1;
      const transfer = { ...planned, fromAccountId: own.id, toEthereumAddress: recipient, nonce };
      const { operation, signature } = signOutboundTransfer(this.contract, this.keys, transfer);
      return { ...operation, signature };
    });
    return [...redemptions, ...transfers];
  }
}
