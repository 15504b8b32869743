import { createHash } from 'node:crypto';
import type { RateStore } from '@tetrad/signer-store';
import { RequestError, addressToBytes } from '@tetrad/types';
import { decide, type PolicyRequest } from './decide.js';
import type { Policy } from './policy-file.js';
import type { PolicyRule } from './policy-rule.js';

/** Lets requests through that the policy allows, and counts those of rules with a rate. */
export class PolicyGate {
  constructor(
    private readonly policy: Policy,
    private readonly rates: RateStore,
  ) {}

  /**
   * Resolves when the request may be served.
   * @returns name of the rule that allowed it
   * @throws RequestError POLICY_REFUSED, POLICY_RATE_EXCEEDED with the rule's name; the database's error when the
   *   request cannot be counted
   */
  async admit(request: PolicyRequest): Promise<string> {
    const decision = decide(this.policy, request);
    if (!decision.allowed) {
      const { rule, limit } = decision;
      throw new RequestError('POLICY_REFUSED', `refused by policy rule ${rule}: ${limit}`, { rule, limit });
    }
    const { name, ratePerMinute } = decision.rule;
    if (ratePerMinute === undefined) return name;
    const bucket = bucketOf(decision.rule, request);
    if (!(await this.rates.admit({ bucket, limit: ratePerMinute }))) {
      const text = `refused by policy rule ${name}: more than ${ratePerMinute} requests a minute`;
      throw new RequestError('POLICY_RATE_EXCEEDED', text, { rule: name, limit: 'rate-per-minute' });
    }
    return name;
  }
}

/** Layout: SHA-256(key (20) ‖ length of rule in UTF-8 (4) ‖ rule ‖ whether there is a caller (1) ‖ caller) */
function bucketOf({ name }: PolicyRule, { caller, key }: PolicyRequest): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(name));
  return createHash('sha256')
    .update(addressToBytes(key))
    .update(length)
    .update(name)
    .update(Uint8Array.of(caller === undefined ? 0 : 1))
    .update(caller ?? '')
    .digest();
}
