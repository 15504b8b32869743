import type { AccountDetailsView, AccountStateView, pazkpAccountMethods } from '@tetrad/api-rollup-operator';
import { decodePoint, encodeJointKey, encodePoint, encodeWord } from '@tetrad/rollup-crypto';
import {
  accountNotFound,
  accountOpaque,
  findProvenAccount,
  register,
  type ProvenAccount,
} from '@tetrad/rollup-operations';
import type { AccountDetails } from '@tetrad/rollup-store';
import type { Handlers } from '@tetrad/rpc';
import type { OperatorParts } from './operator-parts.js';
import { hashOfWord } from './wire-records.js';

export function accountHandlers(
  parts: Pick<OperatorParts, 'accounts' | 'operatorKey' | 'pool' | 'refusals' | 'store'>,
): Handlers<typeof pazkpAccountMethods> {
  const { store, accounts } = parts;
  return {
    pazkp_createAccount: async ([
      publicKey,
      jointEncryptionKey,
      blindingFactor,
      ciphertext,
      randomizationFactor,
      signature,
    ]) => {
      const keys = { publicKey, jointEncryptionKey, blindingFactor };
      return { status: await register(parts, { ...keys, ciphertext, randomizationFactor, signature }) };
    },
    pazkp_findAccountById: async ([accountId]) => detailsView(await accounts.find(accountId)),
    pazkp_findAccountByPublicKey: async ([bytes]) => {
      const publicKey = decodePoint(bytes);
      return publicKey === undefined ? null : detailsView(await accounts.findByKey(publicKey));
    },
    pazkp_getAccountNonce: async ([accountId]) => {
      const known = await accounts.find(accountId);
      if (known === undefined) throw accountNotFound(accountId);
      const account = await store.findLatestAccount(accountId);
      if (account === undefined) throw accountOpaque(accountId);
      return { id: account.id, nonce: account.nonce, redemptionIndex: account.redemptionIndex };
    },
    pazkp_getAccountState: async ([accountId]) => {
      const known = await accounts.find(accountId);
      if (known === undefined) throw accountNotFound(accountId);
      const proven = await findProvenAccount(store, accountId);
      if (proven === undefined) throw accountOpaque(accountId);
      return provenAccountView(proven);
    },
  };
}

/** An account with what proves it. */
export function provenAccountView({ account, leaf, path }: ProvenAccount): AccountStateView {
  return {
    ...publicDetails(account),
    nonce: account.nonce,
    redemptionIndex: account.redemptionIndex,
    balances: account.balances,
    blindingFactor: encodeWord(account.blindingFactor),
    rootHash: hashOfWord(leaf),
    merkleProof: path.map(hashOfWord),
  };
}

function detailsView(details: AccountDetails | undefined): AccountDetailsView | null {
  return details === undefined ? null : publicDetails(details);
}

function publicDetails({ id, publicKey, jointKey }: AccountDetails): AccountDetailsView {
  return { id, publicKey: encodePoint(publicKey), jointEncryptionKey: encodeJointKey(jointKey) };
}
