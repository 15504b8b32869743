import {
  ValidatorCandidates,
  type BftChain,
  bftChainRules,
  type BftChainRules,
} from '@tetrad/node-consensus-bft-chain';
import { RaftChainRules, type RaftSnapshot } from '@tetrad/node-consensus-raft';
import type { Genesis } from '@tetrad/node-execution';
import type { ConsensusRules, Ledger } from '@tetrad/node-ledger';
import type { LedgerStore } from '@tetrad/node-store';

/** The chain with its consensus engine; code that is independent of the engine uses the plain ledger. */
export type ChainEngine = BftChainEngine | RaftChainEngine;

/** A chain whose blocks validators decide. */
export interface BftChainEngine extends BftChain {
  readonly kind: 'bft';
  /** Addresses that this node votes in or out. */
  readonly candidates: ValidatorCandidates;
}

/** A chain whose blocks a log orders. */
export interface RaftChainEngine {
  readonly kind: 'raft';
  readonly ledger: Ledger<RaftSnapshot>;
  readonly rules: RaftChainRules;
}

export interface ChainEngineOptions {
  readonly genesis: Genesis;
  readonly store: Pick<LedgerStore, 'validators'>;
  openLedger<Snapshot>(rules: ConsensusRules<Snapshot>): Promise<Ledger<Snapshot>>;
}

/**
 * Opens the ledger with the engine of the genesis file.
 * @throws GenesisError, and as the ledger does
 */
export async function openChainEngine(options: ChainEngineOptions): Promise<ChainEngine> {
  const { genesis, store, openLedger } = options;
  const rules = rulesOf(genesis);
  if (rules instanceof RaftChainRules) return { kind: 'raft', ledger: await openLedger(rules), rules };
  const ledger = await openLedger(rules);
  return { kind: 'bft', ledger, rules, candidates: await ValidatorCandidates.open(store.validators) };
}

/**
 * The rules of consensus that the genesis file asks for.
 * @throws GenesisError
 */
export function rulesOf(genesis: Genesis): BftChainRules | RaftChainRules {
  return genesis.consensus.engine === 'raft' ? new RaftChainRules(genesis) : bftChainRules(genesis);
}
