import type { ConsentChangeView, ConsentTermsView, rollupConsentMethods } from '@tetrad/api-rollup-operator';
import { decodeWord, encodeWord, type ConsentTerms } from '@tetrad/rollup-crypto';
import {
  accountNotFound,
  accountOpaque,
  findOperationRecord,
  findProvenAccount,
  listCreditRecords,
  listOperationRecords,
  readConsentChange,
} from '@tetrad/rollup-operations';
import type { StoredCredit, StoredOperation } from '@tetrad/rollup-store';
import type { Handlers } from '@tetrad/rpc';
import { provenAccountView } from './accounts.js';
import { acceptMoneyOrder } from './accept-money-order.js';
import type { OperatorParts } from './operator-parts.js';
import { hashOfWord, inclusion, outcome, pageView, wordOfHash } from './wire-records.js';

export function consentHandlers(
  parts: Pick<OperatorParts, 'acceptance' | 'accounts' | 'domain' | 'store'>,
): Handlers<typeof rollupConsentMethods> {
  return { ...acceptingHandlers(parts), ...recordHandlers(parts) };
}

type Accepting = 'rollup_setConsent' | 'rollup_revokeConsent' | 'rollup_createDirectMoneyOrder';

/** Signed operations of account holders. */
function acceptingHandlers({
  acceptance,
  domain,
}: Pick<OperatorParts, 'acceptance' | 'domain'>): Handlers<Pick<typeof rollupConsentMethods, Accepting>> {
  return {
    rollup_setConsent: async ([
      accountId,
      tokenId,
      minimum,
      untilHeight,
      secret,
      ciphertext,
      randomizationFactor,
      nonce,
      signature,
    ]) => {
      const terms = { tokenId, minimum, untilHeight, secret: decodeWord(secret) };
      const change = readConsentChange(domain, { accountId, terms, nonce }, { ciphertext, signature });
      return { operationHash: hashOfWord(await acceptance.setConsent(change, randomizationFactor)) };
    },
    rollup_revokeConsent: async ([accountId, ciphertext, randomizationFactor, nonce, signature]) => {
      const ended = { accountId, terms: undefined, nonce };
      const change = readConsentChange(domain, ended, { ciphertext, signature });
      return { operationHash: hashOfWord(await acceptance.setConsent(change, randomizationFactor)) };
    },
    rollup_createDirectMoneyOrder: (params) => acceptMoneyOrder(acceptance, params, { isDirect: true }),
  };
}

/** What became of them, and what accounts have. */
function recordHandlers({
  store,
  accounts,
}: Pick<OperatorParts, 'accounts' | 'store'>): Handlers<Omit<typeof rollupConsentMethods, Accepting>> {
  return {
    rollup_findConsentChange: async ([operationHash]) => {
      const record = await findOperationRecord(store, wordOfHash(operationHash), 'setConsent');
      return record === undefined ? null : { ...changeItem(record.stored), ...inclusion(record) };
    },
    rollup_listConsentChanges: async ([fromNonce, softLimit, accountId, status]) => {
      await accounts.get(accountId);
      const query = { kind: 'setConsent', fromNonce, softLimit, fromAccountId: accountId, status } as const;
      return pageView(await listOperationRecords(store, query), changeItem);
    },
    rollup_getAccountState: async ([accountId]) => {
      if ((await accounts.find(accountId)) === undefined) throw accountNotFound(accountId);
      const proven = await findProvenAccount(store, accountId);
      if (proven === undefined) throw accountOpaque(accountId);
      const { consent, consentTerms } = proven.account;
      return {
        ...provenAccountView(proven),
        consent: consent === undefined ? null : hashOfWord(consent),
        terms: termsView(consentTerms),
      };
    },
    rollup_listCredits: async ([fromTotalIndex, softLimit, toAccountId, fromAccountId]) => {
      await accounts.get(toAccountId);
      const query = { fromTotalIndex, softLimit, toAccountId, fromAccountId };
      return pageView(await listCreditRecords(store, query), creditView);
    },
  };
}

function changeItem(stored: StoredOperation): ConsentChangeView {
  const { operation } = stored;
  if (operation.kind !== 'setConsent') throw new TypeError(`operation ${stored.sequence} changes no consent`);
  const { accountId, terms, nonce } = operation;
  return { accountId, terms: termsView(terms), ...outcome(stored, nonce) };
}

function termsView(terms: ConsentTerms | undefined): ConsentTermsView | null {
  return terms === undefined ? null : { ...terms, secret: encodeWord(terms.secret) };
}

function creditView({ totalIndex, batchHeight, order }: StoredCredit) {
  const { fromAccountId, toAccountId, tokenId, amount } = order;
  return { totalIndex, fromAccountId, toAccountId, tokenId, amount, batchHeight };
}
