import type { AuditDurability } from './audit/audit-log.js';
import { keccakHash, type RecoverableSignature } from '@tetrad/crypto';
import {
  idempotencyClaim,
  type GivenUp,
  type SequenceClient,
  type NonceManager,
  type NonceToFill,
  type SignedBytes,
} from '@tetrad/signer-nonces';
import type { NonceSequenceKey } from '@tetrad/signer-store';
import { offeredGasPrice } from '@tetrad/transactions';
import type { Address, Hash } from '@tetrad/types';
import { accountNamed, byAddress, type AccountName } from './account-named.js';
import type { Asker, Decisions } from './decisions.js';
import {
  planPrivate,
  planPublic,
  type PrivateSendRequest,
  type SendPlan,
  type SendRequest,
} from './send-plan.js';
import { preimageOf, signTransaction, type SigningAccounts } from './sign-transaction.js';

/** Through whom, and for how long, one transaction is sent. */
export interface SendThrough {
  /** Speaks to the Ethereum client on behalf of the caller. */
  readonly clientFor: (plan: SendPlan) => SequenceClient;
  /** Aborted when the caller stops waiting for the answer. */
  readonly signal?: GivenUp | undefined;
  /** Identifies the request; a repeated request gets the first answer. */
  readonly idempotencyKey?: string | undefined;
  /** Asks the Ethereum client for the gas of a public transaction without any; such a one takes the default without it. */
  readonly estimateGas?: ((account: Address) => Promise<bigint>) | undefined;
}

export interface RequestSignerParts {
  readonly chainId: bigint;
  readonly accounts: SigningAccounts;
  readonly decisions: Decisions;
  readonly nonceManager: Pick<NonceManager, 'send'>;
}

/** Gas of the transaction that fills a nonce gap, a transfer of 0 wei to the account itself. */
const FILLER_GAS = 21_000n;

/** What a transaction is signed with, and when the entry about that has to be on disk. */
interface ChosenNonce {
  readonly nonce: bigint;
  readonly durability: AuditDurability;
}

/** Signs what callers ask for, as far as the policy allows it, and leaves an entry of every decision. */
export class RequestSigner {
  constructor(private readonly parts: RequestSignerParts) {}

  /** @throws RequestError; as the policy and the audit log do */
  async signDigest(asker: Asker, named: AccountName, digest: Uint8Array): Promise<RecoverableSignature> {
    const { accounts, decisions } = this.parts;
    const { key, rule } = await decisions.check(asker, named.name, async () => {
      const account = await accountNamed(named, accounts);
      return { key: account, rule: await decisions.admit(asker, account) };
    });
    const signature = await accounts.sign(key, digest);
    await decisions.allowed({ asker, key, digest, rule });
    return signature;
  }

  /**
   * Signs a transaction whose nonce is given.
   * @returns raw bytes
   * @throws as `signDigest`; RequestError CHAIN_ID_MISMATCH
   */
  async signTransaction(
    asker: Asker,
    request: SendRequest & { readonly nonce: bigint },
  ): Promise<Uint8Array> {
    const { plan, rule } = await this.plan(asker, request, planPublic);
    const { raw, recorded } = await this.signAndRecord(
      asker,
      { plan, rule },
      { nonce: request.nonce, durability: 'at-once' },
    );
    await recorded;
    return raw;
  }

  /** @throws as `signTransaction`, and as `NonceManager.send` */
  async sendPublic(asker: Asker, request: SendRequest, through: SendThrough): Promise<Hash> {
    return this.send(asker, await this.plan(asker, request, planPublic, through.estimateGas), through);
  }

  /** @throws as `sendPublic` */
  async sendPrivate(asker: Asker, request: PrivateSendRequest, through: SendThrough): Promise<Hash> {
    return this.send(asker, await this.plan(asker, request, planPrivate), through);
  }

  /**
   * What uses up a public nonce and does nothing else, and replaces a lost transaction that has it; undefined when the key is
   * gone or the policy will not.
   */
  async fillGap(
    { account, privacyGroup }: NonceSequenceKey,
    { nonce, lost }: NonceToFill,
  ): Promise<SignedBytes | undefined> {
    const { accounts, decisions, chainId } = this.parts;
    if (privacyGroup !== undefined || !accounts.has(account)) return undefined;
    const asker = { method: 'eth_sendTransaction' };
    const gasPrice = lost === undefined ? undefined : outbidding(offeredGasPrice(lost));
    const plan = planPublic({ from: account, to: account, gas: FILLER_GAS, gasPrice }, account, chainId);
    const rule = await decisions.admit(asker, account, () => plan.complete(nonce)).catch(() => undefined);
    return rule === undefined
      ? undefined
      : this.signFor(asker, { plan, rule: rule || 'gap' }, { nonce, durability: 'at-once' });
  }

  private plan<Request extends Pick<SendRequest, 'from' | 'gas'>>(
    asker: Asker,
    request: Request,
    toPlan: (request: Request, account: Address, chainId: bigint) => SendPlan,
    estimateGas?: SendThrough['estimateGas'],
  ): Promise<{ readonly plan: SendPlan; readonly rule: string }> {
    const { accounts, decisions, chainId } = this.parts;
    return decisions.check(asker, request.from, async () => {
      const account = await accountNamed(byAddress(request.from), accounts);
      const estimatedGas = request.gas === undefined ? await estimateGas?.(account) : undefined;
      const plan = toPlan({ ...request, estimatedGas }, account, chainId);
      const transaction = () => plan.complete(plan.nonce ?? 0n);
      return { plan, rule: await decisions.admit(asker, plan.account, transaction) };
    });
  }

  private send(
    asker: Asker,
    planned: { readonly plan: SendPlan; readonly rule: string },
    { clientFor, signal, idempotencyKey }: SendThrough,
  ): Promise<Hash> {
    const { plan } = planned;
    const { account, nonce } = plan;
    const claim =
      idempotencyKey === undefined
        ? undefined
        : idempotencyClaim({
            caller: asker.caller ?? '',
            account,
            key: idempotencyKey,
            request: requestBytes(plan),
          });
    // With a nonce of the caller's the nonce manager may store nothing afterwards.
    const durability = nonce === undefined ? 'with-a-later-commit' : 'at-once';
    const admit = this.onceAdmitted(asker, planned);
    const sign = async (chosen: bigint) =>
      this.signFor(asker, { plan, rule: await admit(chosen) }, { nonce: chosen, durability });
    return this.parts.nonceManager.send({
      sequence: sequenceOf(plan),
      client: clientFor(plan),
      nonce,
      signal,
      claim,
      sign,
    });
  }

  /** The first signature was admitted with the request; each further one, with another nonce, counts against the policy too. */
  private onceAdmitted(
    asker: Asker,
    { plan, rule }: { readonly plan: SendPlan; readonly rule: string },
  ): (nonce: bigint) => Promise<string> | string {
    const { decisions } = this.parts;
    let isFirst = true;
    return (nonce) => {
      if (!isFirst) {
        return decisions.check(asker, plan.account, () =>
          decisions.admit(asker, plan.account, () => plan.complete(nonce)),
        );
      }
      isFirst = false;
      return rule;
    };
  }

  private async signFor(
    asker: Asker,
    planned: { readonly plan: SendPlan; readonly rule: string },
    chosen: ChosenNonce,
  ): Promise<SignedBytes> {
    const { raw, recorded } = await this.signAndRecord(asker, planned, chosen);
    return { raw, hash: keccakHash(raw), recorded };
  }

  private async signAndRecord(
    asker: Asker,
    { plan, rule }: { readonly plan: SendPlan; readonly rule: string },
    { nonce, durability }: ChosenNonce,
  ): Promise<{ readonly raw: Uint8Array; readonly recorded: Promise<void> }> {
    const { accounts, decisions } = this.parts;
    const transaction = plan.complete(nonce);
    const { raw, digest } = await signTransaction(transaction, plan.account, accounts);
    const recorded = decisions.allowed({ asker, key: plan.account, digest, transaction, rule }, durability);
    // The receiver of the bytes awaits it; a rejection before that must not end the process.
    recorded.catch(() => undefined);
    return { raw, recorded };
  }
}

/** A gas price that pools take for a replacement: an eighth more, where the rule of geth and Besu is a tenth. */
function outbidding(gasPrice: bigint): bigint {
  return gasPrice + gasPrice / 8n + 1n;
}

export function sequenceOf({ chainId, account, privacyGroup }: SendPlan): NonceSequenceKey {
  const group = privacyGroup === undefined ? undefined : new Uint8Array(Buffer.from(privacyGroup, 'base64'));
  return { chainId, account, privacyGroup: group };
}

/** Layout: whether the nonce is the caller's (1) ‖ what would be signed, with nonce 0 when it is not, and gas 0 when estimated */
function requestBytes(plan: SendPlan): Uint8Array {
  const given = Uint8Array.of(plan.nonce === undefined ? 0 : 1);
  const transaction = plan.complete(plan.nonce ?? 0n);
  const repeated = plan.hasEstimatedGas ? { ...transaction, gasLimit: 0n } : transaction;
  return Buffer.concat([given, preimageOf(repeated)]);
}
