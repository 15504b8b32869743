import { parseOperationHeader } from '@tetrad/rollup-circuits';
import {
  CIPHERTEXT_WORDS,
  consentHash,
  decodeWord,
  openCredit,
  splitTotalIndex,
  type ConsentTerms,
} from '@tetrad/rollup-crypto';
import { acceptedBatch, type MinedBatch } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import { listConsentChanges, listCredits, type CreditItem } from '../operator/list-pages.js';
import type { OperatorClient } from '../operator/operator-client.js';
import { ProofError } from './account-proof.js';

/** What credits are listed by, and proved with. */
export interface CreditSources {
  readonly operator: OperatorClient;
  readonly contract: RollupContract;
  readonly keys: Pick<RollupKeys, 'publicKey'>;
  /** Block of the contract's creation, or one before. */
  readonly fromBlock: number;
}

/**
 * What was credited to an account in final batches, each proved against the contract before it is given: the word that a batch has of
 * it opens with the account's key and a consent of the account to what the operator says, and to nothing else.
 *
 * @param sources - the operator and the contract
 * @param filter - the account, and from which total index on
 * @returns credits by total index, those of a batch after one look at it
 * @throws ProofError for one that the contract has not; what `listCredits` and `acceptedBatch` do
 */
export async function* provedCredits(
  sources: CreditSources,
  filter: { readonly accountId: number; readonly fromIndex?: number },
): AsyncGenerator<CreditItem> {
  let batch: MinedBatch | undefined;
  let terms: ConsentTerms | undefined;
  for await (const item of listCredits(sources.operator, filter)) {
    const { batchHeight } = splitTotalIndex(item.totalIndex);
    if (batch?.height !== batchHeight) batch = await batchOf(sources, batchHeight);
    const credit = { accountId: filter.accountId, item, batch };
    if (terms === undefined || !opens(sources, credit, terms)) terms = await termsOf(sources, credit);
    yield item;
  }
}

/** A credit as the operator lists it, and the batch that has to have it. */
interface ListedCredit {
  readonly accountId: number;
  readonly item: CreditItem;
  readonly batch: MinedBatch;
}

async function batchOf({ contract, fromBlock }: CreditSources, height: number): Promise<MinedBatch> {
  const toBlock = await contract.client.blockNumber();
  return acceptedBatch(contract, { fromBlock, toBlock, height });
}

/**
 * The consent by which it was credited.
 * @throws ProofError when no consent of the account opens it
 */
async function termsOf(sources: CreditSources, credit: ListedCredit): Promise<ConsentTerms> {
  const { accountId, item } = credit;
  for await (const { terms } of listConsentChanges(sources.operator, { accountId })) {
    if (terms === null) continue;
    const opened = { ...terms, secret: decodeWord(terms.secret) };
    if (opens(sources, credit, opened)) return opened;
  }
  throw new ProofError(`the contract has no credit ${item.totalIndex} of what the operator says`);
}

function opens(
  { contract, keys }: CreditSources,
  { accountId, item, batch }: ListedCredit,
  terms: ConsentTerms,
): boolean {
  const { totalIndex } = item;
  const { index, batchHeight } = splitTotalIndex(totalIndex);
  const header = batch.headers[index];
  const [leaf, word] = [batch.leaves[index], batch.ciphertexts[CIPHERTEXT_WORDS * index]];
  if (header === undefined || leaf === undefined || word === undefined) return false;
  const { kind, accountId: credited } = parseOperationHeader(header);
  if (kind !== 'credit' || credited !== accountId || item.toAccountId !== accountId) return false;
  const consent = consentHash(contract.domain, terms);
  const place = { publicKey: keys.publicKey, consent, secret: terms.secret, leaf, totalIndex };
  const came = openCredit(place, word);
  return (
    came?.amount === item.amount &&
    came.fromAccountId === item.fromAccountId &&
    terms.tokenId === item.tokenId &&
    item.batchHeight === batchHeight
  );
}
