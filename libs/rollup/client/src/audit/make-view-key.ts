import { LEAVES_IN_PROOF, type LeafProver, type OpenedLeaf } from '@tetrad/rollup-circuits';
import { GENERATOR, jointKeyHash, proveSharedKeys } from '@tetrad/rollup-crypto';
import { AccountRecovery, type Account } from '@tetrad/rollup-state';
import { OperatorError } from '@tetrad/types';
import { acceptedBatches } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import { ProofError } from '../proofs/account-proof.js';
import { DisclosedPeriod } from './disclosed-period.js';
import { signViewKey } from './view-key-file.js';
import { VIEW_KEY_LIMITS, type SharedKeys, type SignedViewKey } from './view-key.js';

/** What is disclosed, and to whom. */
export interface ViewKeyOptions {
  /** First batch of the period. */
  readonly from: number;
  /** Last batch of the period. */
  readonly to: number;
  readonly auditor: string;
  readonly purpose: string;
  /** Whether it is shown that no other order of the period was for the account; costs 130 bytes for each order of all accounts. */
  readonly showsAllReceived: boolean;
  /** Block of the contract's creation, or one before. */
  readonly fromBlock: number;
  readonly prover: Pick<LeafProver, 'prove' | 'circuit'>;
  onPage?(block: number): void;
}

/**
 * Makes a view key: it opens what the account of the keys did in a period, and nothing outside it.
 *
 * @param contract - of the rollup
 * @param keys - of the account
 * @param options - the period, for whom, and what proves leaves
 * @returns the view key, signed by the account
 * @throws OperatorError for a period that is not there, before the account, or with more than a view key opens; ProofError when the
 *   events are not those of the contract; RecoveryError; as `acceptedBatches`
 */
export async function makeViewKey(
  contract: RollupContract,
  keys: RollupKeys,
  options: ViewKeyOptions,
): Promise<SignedViewKey> {
  if (options.showsAllReceived) assertReceivedCanBeShown(contract);
  const { recovery, period } = await readDisclosed(contract, keys, options);
  const { own } = recovery;
  if (own === undefined) throw new OperatorError(`these keys have no account up to batch ${options.to}`);
  const { auditor, purpose } = options;
  const { id, publicKey, jointKey } = own;
  const viewKey = {
    chainId: await contract.client.chainId(),
    contract: contract.address,
    auditor,
    purpose,
    account: { id, publicKey, jointKey },
    ...period.openings(own),
    circuit: options.prover.circuit.version,
    leafProofs: await proveLeaves(own, period.leaves, {
      prover: options.prover,
      hasConsents: contract.hasConsents,
    }),
    sharedKeys: options.showsAllReceived ? sharedKeysOf(contract, keys, period) : undefined,
  };
  return signViewKey(viewKey, keys.secretKey);
}

/**
 * A key for a text gives away what else its ephemeral point opens. Where the operator alone submits, the maker of each text
 * had to show that it knows the randomization factor, and learns nothing; elsewhere anyone may publish a point of another text.
 */
function assertReceivedCanBeShown({ exitRules }: RollupContract): void {
  if (exitRules !== 'freeze')
    throw new OperatorError(
      'on this contract anyone may submit batches: that all received orders are disclosed cannot be shown without danger to other texts',
    );
}

async function readDisclosed(contract: RollupContract, keys: RollupKeys, options: ViewKeyOptions) {
  const { from, to, fromBlock, onPage } = options;
  const { domain, operatorKeys, client } = contract;
  const { secretKey, encryptionKey } = keys;
  const { height } = await contract.state();
  if (from < 1 || from > to || to > height)
    throw new OperatorError(`the period must be from 1 to ${height}, in order, not ${from} to ${to}`);
  const recovery = new AccountRecovery({ domain, operatorKeys, secretKey, encryptionKey });
  const period = new DisclosedPeriod(recovery, { from, to });
  const range = { fromBlock, toBlock: await client.blockNumber() };
  for await (const batch of acceptedBatches(contract, { ...range, ...(onPage && { onPage }) })) {
    period.apply(batch);
    if (batch.height < to) continue;
    if ((await contract.stateRootAt(to)) !== batch.nextStateRoot)
      throw new ProofError(`the contract has another root at height ${to} than its events`);
    return { recovery, period };
  }
  throw new ProofError(`the events end before batch ${to}`);
}

async function proveLeaves(
  own: Account,
  leaves: readonly OpenedLeaf[],
  { prover, hasConsents }: Pick<ViewKeyOptions, 'prover'> & { readonly hasConsents: boolean },
): Promise<Uint8Array[]> {
  const { id: accountId, publicKey, jointKey, blindingFactor } = own;
  const common = { accountId, publicKey, jointKeyHash: jointKeyHash(jointKey), hasConsents };
  const proofs: Uint8Array[] = [];
  for (let first = 0; first < leaves.length; first += LEAVES_IN_PROOF) {
    const statement = { ...common, leaves: leaves.slice(first, first + LEAVES_IN_PROOF) };
    proofs.push(await prover.prove(statement, blindingFactor));
  }
  return proofs;
}

function sharedKeysOf(
  { domain }: RollupContract,
  { encryptionKey }: RollupKeys,
  { ephemerals }: DisclosedPeriod,
): SharedKeys {
  if (ephemerals.length > VIEW_KEY_LIMITS.sharedKeys)
    throw new OperatorError(
      `the period has ${ephemerals.length} money orders, above ${VIEW_KEY_LIMITS.sharedKeys}: disclose a shorter one, or do not show that all received orders are there`,
    );
  // With the generator, whose key is the user's own, there is one text at least.
  const { keys, proof } = proveSharedKeys(encryptionKey, { domain, ephemerals: [GENERATOR, ...ephemerals] });
  return { keys: keys.slice(1), proof };
}
