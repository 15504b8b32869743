import { FIELD_MODULUS, modulo } from '@tetrad/rollup-crypto';
import { balanceOf, type KnownAccount } from '../account.js';
import type { Effects, ExecutionView } from '../execution.js';
import { touchedAccountId, type RollupOperation } from '../rollup-operation.js';

/**
 * The effects of an operation without any rule: what an attacker would have to prove to execute it although the state
 * machine rejects it.
 * @returns undefined without an account to change
 */
export function forcedEffects(view: ExecutionView, operation: RollupOperation): Effects | undefined {
  if (operation.kind === 'inboundTransfer' || operation.kind === 'createAccount') return undefined;
  const before = view.account(touchedAccountId(operation) as number);
  if (before === undefined) return undefined;
  if (operation.kind === 'credit') {
    const { order } = operation;
    return { before, after: withBalance(before, order.tokenId, order.amount), order: undefined };
  }
  const next = { ...before, nonce: operation.nonce };
  switch (operation.kind) {
    case 'createMoneyOrder': {
      const { order } = operation;
      return { before, after: withBalance(next, order.tokenId, -order.amount), order };
    }
    case 'outboundTransfer':
      return { before, after: withBalance(next, operation.tokenId, -operation.amount), order: undefined };
    case 'redeemMoneyOrder': {
      const { order, totalIndex: redemptionIndex } = operation;
      const after = { ...withBalance(next, order.tokenId, order.amount), redemptionIndex };
      return { before, after, order: undefined };
    }
    case 'setConsent': {
      const { consent, terms: consentTerms } = operation;
      return { before, after: { ...next, consent, consentTerms }, order: undefined };
    }
  }
}

/** A balance below zero is a large one to the circuit, which knows field elements only. */
function withBalance(account: KnownAccount, tokenId: number, change: bigint): KnownAccount {
  const balance = modulo(balanceOf(account, tokenId) + change, FIELD_MODULUS);
  return { ...account, balances: new Map([...account.balances, [tokenId, balance]]) };
}
