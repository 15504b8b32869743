import { parseOperationHeader } from '@tetrad/rollup-circuits';
import {
  CIPHERTEXT_WORDS,
  ciphertextFromWords,
  decrypt,
  operationHash,
  type Ciphertext,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { moneyOrderOfWords, type Account, type RecoverableBatch } from '@tetrad/rollup-state';
import type { SequenceStep, StoredOperation } from '@tetrad/rollup-store';
import type { Address } from '@tetrad/types';
import { SequencerError } from './sequencer-error.js';

/** A batch of somebody else does not follow from what is known here; the message says what is missing. */
export class UnreadableBatchError extends SequencerError {
  override readonly name = 'UnreadableBatchError';
}

/** What one place of a batch on the chain says. */
export interface PublicPlace {
  readonly kind: Exclude<ReturnType<typeof parseOperationHeader>['kind'], 'noOp'>;
  readonly accountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly recipient: Address;
  readonly ciphertext: Ciphertext | undefined;
}

/** The places before the padding. Fails: UnreadableBatchError for none, or padding in the middle */
export function placesOf(batch: RecoverableBatch): PublicPlace[] {
  const headers = batch.headers.map(parseOperationHeader);
  const end = headers.findIndex(({ kind }) => kind === 'noOp');
  const used = end < 0 ? headers : headers.slice(0, end);
  if (used.length === 0 || headers.slice(used.length).some(({ kind }) => kind !== 'noOp'))
    throw new UnreadableBatchError('its operations do not stand together');
  return used.map(({ kind, accountId, tokenId, amount }, index) => {
    const words = batch.ciphertexts.slice(CIPHERTEXT_WORDS * index, CIPHERTEXT_WORDS * (index + 1));
    return {
      ...{ kind: kind as PublicPlace['kind'], accountId, tokenId, amount },
      ...{ recipient: batch.recipients[index] as Address, ciphertext: ciphertextFromWords(words) },
    };
  });
}

export interface AdoptionKeys {
  readonly domain: bigint;
  /** Secret of the operator's half of joint keys; without it only what is in the rows can be read. */
  readonly operatorSecret: bigint | undefined;
}

/**
 * The operation at a place: the row that was accepted here, or what the chain and the operator's key say of it.
 *
 * In:    the account before the operation, which it must be signed for
 * Fails: UnreadableBatchError when neither has it
 */
export async function operationAt(
  step: SequenceStep,
  place: PublicPlace & { readonly kind: SignedKind['kind'] },
  account: Account | undefined,
  keys: AdoptionKeys,
): Promise<StoredOperation> {
  const { kind, accountId, ciphertext } = place;
  const nonce = (account?.nonce ?? 0) + 1;
  const found = await step.adoptable({ kind, accountId, nonce, ciphertext });
  const accepted = found.find(({ operation }) => isTransferOf(operation, place));
  if (accepted !== undefined) return accepted;
  const operation = readOperation(place, nonce, keys.operatorSecret);
  if (operation === undefined) throw new UnreadableBatchError(unreadable(place, keys));
  return step.addAdopted({ hash: operationHash(keys.domain, operation), operation });
}

/** Transfers out have no ciphertext to be known by, but nothing of them is hidden. */
function isTransferOf(operation: StoredOperation['operation'], place: PublicPlace): boolean {
  if (operation.kind !== 'outboundTransfer') return true;
  const { toEthereumAddress, tokenId, amount } = operation;
  return toEthereumAddress === place.recipient && tokenId === place.tokenId && amount === place.amount;
}

function readOperation(
  place: PublicPlace,
  nonce: number,
  operatorSecret: bigint | undefined,
): SignedKind | undefined {
  const { kind, accountId: fromAccountId, tokenId, amount, recipient, ciphertext } = place;
  if (kind === 'outboundTransfer')
    return { kind, fromAccountId, toEthereumAddress: recipient, tokenId, amount, nonce };
  if (ciphertext === undefined || operatorSecret === undefined) return undefined;
  const words = decrypt(ciphertext, 'operator', operatorSecret);
  const order = moneyOrderOfWords(words);
  if (order === undefined) return undefined;
  if (kind === 'createMoneyOrder') return { kind, order, nonce, ciphertext };
  const index = words[5];
  if (kind !== 'redeemMoneyOrder' || index === undefined || index >> 48n !== 0n) return undefined;
  return { kind, order, totalIndex: Number(index), nonce, ciphertext };
}

function unreadable({ kind, accountId }: PublicPlace, { operatorSecret }: AdoptionKeys): string {
  if (kind === 'createAccount')
    return `it creates account ${accountId}, whose keys nobody has registered here; it goes on when the holder registers again`;
  return operatorSecret === undefined
    ? `an operation of account ${accountId} is not among those accepted here, and the operator has no --operator-key-file to read it with`
    : `the key of the operator does not open an operation of account ${accountId}`;
}
