import type { Logger, PtmKey } from '@tetrad/types';
import { InvalidPublicKeyError } from '../keys/key-pair.js';
import type { KeyRing } from '../keys/key-ring.js';
import { ManagerError } from '../manager-error.js';
import type { KeyHolderStore } from '../store/key-holder-store.js';
import { checkClaim, prevails, type Side } from './claim-rules.js';
import type { KeyConflicts } from './key-conflicts.js';
import type { KeyHolder } from './key-holders.js';
import type { KeyProof, KeyProver } from './key-prover.js';
import type { PartyTable } from './party-table.js';
import { PeerUnreachableError } from './peer-client.js';
import type { ProofBudget } from './proof-budget.js';

export interface ClaimParts {
  readonly ring: KeyRing;
  readonly table: PartyTable;
  readonly prover: Pick<KeyProver, 'prove'>;
  readonly conflicts: KeyConflicts;
  readonly budget: ProofBudget;
  readonly store: Pick<KeyHolderStore, 'save' | 'remove'>;
  readonly logger: Logger;
  /** Whether proofs count that are not bound to the URL of the manager that gives them. */
  readonly acceptsUnbound: boolean;
}

/** Keys of an announcement that may fail to be proved before the rest is not asked for. */
const MAX_FAILURES = 3;
/** How often a holder is asked that cannot be reached, before its key goes to another manager. */
const ASKS_OF_HOLDER = 2;

/** Where a key is announced, and by whom: a remote address. */
interface Announced {
  readonly url: string;
  readonly from: string;
}

/** Decides which manager holds a key, of those that announce it (docs/adr/0154). */
export class KeyClaims {
  constructor(private readonly parts: ClaimParts) {}

  /**
   * Has a manager prove the keys it announces. One that it has proved is believed when it is announced again, and is given
   * up when it is left out and cannot be proved any more.
   * @param from - address of the announcer, to whom the proofs and the keys are charged
   * @returns those of the keys for which payloads go to the URL now
   * @throws ManagerError 503 when no more may be asked for
   */
  async settle(url: string, announced: readonly PtmKey[], from: string): Promise<PtmKey[]> {
    const { table, ring, budget } = this.parts;
    const [wanted, known] = [new Set(announced.filter((key) => !ring.has(key))), new Set(table.keysAt(url))];
    for (const key of known) if (wanted.has(key)) table.hearOf(key);
    const leftOut = [...known].filter((key) => !wanted.has(key));
    const unproved = [...leftOut, ...[...wanted].filter((key) => !known.has(key))];
    const granted = budget.take(from, unproved.length);
    if (granted === 0 && unproved.length > 0)
      throw new ManagerError('unavailable', 'too many keys to prove at the moment; try again');
    await this.proveEach({ url, from }, unproved.slice(0, granted), wanted);
    return [...wanted].filter((key) => table.find(key)?.url === url);
  }

  /** One after another, so that what proves nothing is asked little. */
  private async proveEach(
    at: Announced,
    keys: readonly PtmKey[],
    wanted: ReadonlySet<PtmKey>,
  ): Promise<void> {
    const { table, logger } = this.parts;
    let failures = 0;
    for (const key of keys) {
      const proof = await this.proofOf(at.url, key);
      const isProved = this.counts(proof);
      if (wanted.has(key) && isProved) {
        await this.claim(key, at, proof === 'bound');
        // When this key finds no room, the keys after it find none either.
        if (table.holderOf(key) === undefined) return;
      }
      if (isProved) continue;
      table.retireKeys(at.url, new Set([key]));
      failures += 1;
      logger.warn('a manager did not prove a key that it announced', { url: at.url, key, proof });
      if (failures >= MAX_FAILURES) return;
    }
  }

  private counts(proof: KeyProof): boolean {
    return proof === 'bound' || (proof === 'unbound' && this.parts.acceptsUnbound);
  }

  /** A manager that cannot be reached has proved nothing. */
  private async proofOf(url: string, key: PtmKey): Promise<KeyProof> {
    try {
      return await this.parts.prover.prove(url, key);
    } catch (error) {
      if (error instanceof PeerUnreachableError || error instanceof InvalidPublicKeyError) return 'none';
      throw error;
    }
  }

  /** @param at - where the key has just been proved */
  private async claim(key: PtmKey, { url, from }: Announced, bound: boolean): Promise<void> {
    const { table, conflicts } = this.parts;
    const holder = table.holderOf(key);
    // At one URL a key that was once proved as bound stays so: nothing is gained by it but that others cannot take it.
    if (holder === undefined || holder.url === url)
      return this.put(key, { url, bound: bound || holder?.bound === true, active: true }, from);
    const claimant = { bound, configured: table.isConfigured(url) };
    const verdict = checkClaim(this.sideOf(holder), claimant);
    if (verdict === 'stay') return conflicts.note(key, holder.url, url);
    if (verdict === 'ask') {
      const proof = await this.askHolder(holder.url, key);
      // Something else has been decided meanwhile; it is announced again.
      if (table.holderOf(key) !== holder) return;
      if (this.counts(proof)) return this.decide(key, { holder, proof }, { url, from, ...claimant });
    }
    await this.move(key, holder, { url, from, bound });
  }

  /** Both prove it. */
  private async decide(
    key: PtmKey,
    { holder, proof }: { readonly holder: KeyHolder; readonly proof: KeyProof },
    claimant: Side & Announced,
  ): Promise<void> {
    const { table, conflicts } = this.parts;
    const bound = proof === 'bound';
    const holderNow = { bound, configured: table.isConfigured(holder.url) };
    if (prevails(claimant, holderNow)) {
      conflicts.note(key, claimant.url, holder.url);
      return this.move(key, holder, claimant);
    }
    conflicts.note(key, holder.url, claimant.url);
    await this.put(key, { url: holder.url, bound: bound || holder.bound, active: true });
  }

  private async move(
    key: PtmKey,
    { url: before }: KeyHolder,
    { url, bound, from }: Announced & Pick<KeyHolder, 'bound'>,
  ): Promise<void> {
    this.parts.logger.info('a key moved to another manager', { key, from: before, to: url, bound });
    await this.put(key, { url, bound, active: true }, from);
  }

  private async askHolder(url: string, key: PtmKey): Promise<KeyProof> {
    for (let ask = 1; ask < ASKS_OF_HOLDER; ask += 1) {
      const proof = await this.proofOf(url, key);
      if (this.counts(proof)) return proof;
    }
    return this.proofOf(url, key);
  }

  private sideOf({ url, bound }: KeyHolder): Side {
    return { bound, configured: this.parts.table.isConfigured(url) };
  }

  /** Records the holder of a key, also in the database. */
  private async put(key: PtmKey, holder: KeyHolder, from?: string): Promise<void> {
    const { table, store, logger } = this.parts;
    const before = table.holderOf(key);
    const { fits, forgotten } = table.setHolder(key, holder, from);
    if (!fits)
      return logger.warn('no room for keys of more managers that are not among --peers', { url: holder.url });
    if (forgotten !== undefined) await store.remove(forgotten);
    if (before?.url !== holder.url || before.bound !== holder.bound) await store.save(key, holder);
  }
}
