import type { ConsentedStateView } from '@tetrad/api-rollup-operator';
import { encodeJointKey, encodePoint, encodeWord } from '@tetrad/rollup-crypto';
import {
  ACCOUNT_TREE_DEPTH,
  HISTORY_TREE_DEPTH,
  MerkleTree,
  ORDER_TREE_DEPTH,
  accountHash,
  treeOfLeaves,
  type MemoryState,
} from '@tetrad/rollup-state';
import { hashFromBytes, type Hash } from '@tetrad/types';

/** Proofs out of a state that is at hand, in the form in which an operator gives them. */

const hash = (word: bigint): Hash => hashFromBytes(encodeWord(word));

const accounts = (state: MemoryState) => new MerkleTree(ACCOUNT_TREE_DEPTH, state.accountNode);
const history = (state: MemoryState) => new MerkleTree(HISTORY_TREE_DEPTH, state.historyNode);

/** @param isWhole - whether the history root comes last, with which the proof leads to the state root */
export function accountView(state: MemoryState, id: number, isWhole: boolean): ConsentedStateView {
  const account = state.account(id);
  if (account === undefined) throw new Error(`unknown account ${id}`);
  const { nonce, redemptionIndex, balances, consent, consentTerms } = account;
  return {
    id,
    nonce,
    redemptionIndex,
    balances,
    publicKey: encodePoint(account.publicKey),
    jointEncryptionKey: encodeJointKey(account.jointKey),
    blindingFactor: encodeWord(account.blindingFactor),
    rootHash: hash(accountHash(account)),
    consent: consent === undefined ? null : hash(consent),
    terms: consentTerms === undefined ? null : { ...consentTerms, secret: encodeWord(consentTerms.secret) },
    merkleProof: [...accounts(state).path(id), ...(isWhole ? [history(state).root] : [])].map(hash),
  };
}

export function orderProof(
  state: MemoryState,
  { height, index }: { readonly height: number; readonly index: number },
  isWhole: boolean,
): Hash[] {
  const tree = treeOfLeaves(ORDER_TREE_DEPTH, state.orders(height).entries());
  const rest = isWhole ? [...history(state).path(height), accounts(state).root] : [];
  return [...tree.path(index), ...rest].map(hash);
}
