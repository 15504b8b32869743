import type { AuditDurability, AuditLog } from './audit/audit-log.js';
import { reasonOfRefusal } from './audit/refusal-reason.js';
import type { PolicyGate } from './policy/policy-gate.js';
import type { PolicyRequest } from './policy/decide.js';
import { RequestError, type Address } from '@tetrad/types';
import { isPrivate, type CompleteTransaction } from './sign-transaction.js';

/** The caller and the method of a request. */
export interface Asker {
  /** Subject of the caller's token; absent without authentication. */
  readonly caller?: string | undefined;
  readonly method: string;
}

/** A signature, its caller, and the rule that allowed it. */
export interface AllowedSignature {
  readonly asker: Asker;
  readonly key: string;
  readonly digest: Uint8Array;
  readonly transaction?: CompleteTransaction | undefined;
  readonly rule: string;
}

/** Evaluates the policy, and records every decision in the audit log. */
export class Decisions {
  constructor(
    private readonly parts: {
      readonly audit: Pick<AuditLog, 'append'>;
      /** Absent when everything is allowed. */
      readonly policy?: Pick<PolicyGate, 'admit'> | undefined;
    },
  ) {}

  /**
   * Runs the checks before something is signed; a rejection is stored before the caller gets it.
   * @throws as the checks; the database's error
   */
  async check<T>({ caller, method }: Asker, key: string, run: () => T | Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof RequestError) {
        const reason = reasonOfRefusal(error);
        await this.parts.audit.append({ caller: caller ?? '', key, method, decision: 'refused', reason });
      }
      throw error;
    }
  }

  /**
   * @returns name of the rule that allows it, empty without a policy
   * @throws as `PolicyGate.admit`
   */
  async admit(asker: Asker, key: Address, transaction?: () => CompleteTransaction): Promise<string> {
    const { policy } = this.parts;
    if (policy === undefined) return '';
    const view = transaction === undefined ? undefined : policyView(transaction());
    return policy.admit({ caller: asker.caller, method: asker.method, key, transaction: view });
  }

  /**
   * Resolves when the entry is stored; what was signed must not leave before.
   * @throws the database's error
   */
  allowed(
    { asker, key, digest, transaction, rule }: AllowedSignature,
    durability?: AuditDurability,
  ): Promise<void> {
    const caller = asker.caller ?? '';
    const { method } = asker;
    const entry = { caller, key, method, digest, transaction, decision: 'allowed', reason: rule } as const;
    return this.parts.audit.append(entry, durability);
  }
}

/** The transaction as a policy sees it. */
function policyView(transaction: CompleteTransaction): NonNullable<PolicyRequest['transaction']> {
  const { chainId, to, gasLimit } = transaction;
  if (isPrivate(transaction))
    return { chainId, to, gas: gasLimit, value: 0n, gasPrice: transaction.gasPrice };
  const { value, fees } = transaction;
  const gasPrice = fees.type === 'dynamicFee' ? fees.maxFeePerGas : fees.gasPrice;
  return { chainId, to, gas: gasLimit, value, gasPrice };
}
