import type { AccountStateView, ConsentedStateView } from '@tetrad/api-rollup-operator';
import {
  decodeJointKey,
  decodePoint,
  decodeWord,
  isFieldElement,
  type ConsentTerms,
} from '@tetrad/rollup-crypto';
import {
  ACCOUNT_TREE_DEPTH,
  MAX_ACCOUNTS,
  MAX_TOKENS,
  accountHash,
  rootOfPath,
  stateRoot,
  type Account,
} from '@tetrad/rollup-state';
import { TetradError } from '@tetrad/types';

/** The operator's statement does not follow from the contract's state; the message names the difference. */
export class ProofError extends TetradError {
  override readonly name = 'ProofError';
  override readonly code = 'INVALID_PROOF';
}

/** An account as the operator describes it, in checked values. */
export interface ProvedAccount {
  readonly account: Account;
  /** Root of the account tree that the proof leads to. */
  readonly accountRoot: bigint;
  /** State root that it leads to, when the proof goes as far. */
  readonly stateRoot: bigint | undefined;
}

/**
 * Checks an account state by itself: that leaf and balances fit, and where the proof leads. Whether that is a root of the
 * contract, the contract must say.
 *
 * A proof is the 28 siblings of the account tree; one more is the history root, with which it leads to the state root.
 *
 * @throws ProofError
 */
export function checkAccountProof(state: AccountStateView | ConsentedStateView): ProvedAccount {
  const account = accountOf(state);
  if (accountHash(account) !== BigInt(state.rootHash))
    throw new ProofError(`the leaf of account ${account.id} does not match its fields`);
  const siblings = state.merkleProof.map(BigInt);
  if (siblings.length !== ACCOUNT_TREE_DEPTH && siblings.length !== ACCOUNT_TREE_DEPTH + 1)
    throw new ProofError(`the proof of account ${account.id} has ${siblings.length} hashes`);
  if (!siblings.every(isFieldElement))
    throw new ProofError(`the proof of account ${account.id} has an invalid hash`);
  const accountRoot = rootOfPath(BigInt(state.rootHash), account.id, siblings.slice(0, ACCOUNT_TREE_DEPTH));
  const historyRoot = siblings[ACCOUNT_TREE_DEPTH];
  return {
    account,
    accountRoot,
    stateRoot: historyRoot === undefined ? undefined : stateRoot(accountRoot, historyRoot),
  };
}

function accountOf(state: AccountStateView | ConsentedStateView): Account {
  const { id, nonce, redemptionIndex, balances } = state;
  const publicKey = decodePoint(state.publicKey);
  const jointKey = decodeJointKey(state.jointEncryptionKey);
  const blindingFactor = decodeWord(state.blindingFactor);
  if (publicKey === undefined || jointKey === undefined || !isFieldElement(blindingFactor))
    throw new ProofError(`a key or the blinding factor of account ${id} is malformed`);
  if (id < 1 || id >= MAX_ACCOUNTS) throw new ProofError(`${id} is not the id of an account`);
  if (balances.size > MAX_TOKENS || [...balances.keys()].some((token) => token >= MAX_TOKENS))
    throw new ProofError(`account ${id} has a balance of a token that cannot be`);
  return { id, publicKey, jointKey, blindingFactor, nonce, redemptionIndex, balances, ...consentOf(state) };
}

/** The word of the leaf, and what the operator says that opens it: whether it does, who knows the rollup must say. */
function consentOf(state: AccountStateView | ConsentedStateView): {
  readonly consent?: bigint;
  readonly consentTerms?: ConsentTerms;
} {
  if (!('consent' in state) || state.consent === null) return {};
  const consent = BigInt(state.consent);
  if (!isFieldElement(consent)) throw new ProofError(`the consent of account ${state.id} is malformed`);
  if (state.terms === null) return { consent };
  return { consent, consentTerms: { ...state.terms, secret: decodeWord(state.terms.secret) } };
}
