import { readFile } from 'node:fs/promises';
import {
  DEFAULT_STATE_CACHE_LIMITS,
  GenesisError,
  createExecutor,
  parseGenesis,
  type Genesis,
} from '@tetrad/node-execution';
import { ValidatorCandidates, openLedger, type Ledger } from '@tetrad/node-ledger';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import type { Database } from '@tetrad/db';
import { OperatorError, systemClock, type Logger, type Metrics } from '@tetrad/types';
import type { NodeConfig } from './config.js';

export interface OpenChain {
  readonly genesis: Genesis;
  readonly store: LedgerStore;
  readonly ledger: Ledger;
  /** Addresses that this node votes in or out. */
  readonly candidates: ValidatorCandidates;
}

/** Opens the chain that the genesis file describes. Fails: OperatorError naming what is wrong. */
export async function openChain(
  config: NodeConfig,
  parts: { readonly database: Database; readonly logger: Logger; readonly metrics: Metrics },
): Promise<OpenChain> {
  const genesis = await readGenesis(config.genesisFile);
  const store = await openLedgerStore(parts.database).catch(asOperatorError);
  try {
    const ledger = await openLedger({
      genesis,
      store,
      executor: createExecutor(genesis),
      clock: systemClock,
      logger: parts.logger,
      metrics: parts.metrics,
      stateCache: { ...DEFAULT_STATE_CACHE_LIMITS, nodeBytes: config.stateCacheMb * 1024 * 1024 },
      cachedTransactions: config.cachedTransactions,
    });
    return { genesis, store, ledger, candidates: await ValidatorCandidates.open(store.validators) };
  } catch (error) {
    await store.close();
    return asOperatorError(error);
  }
}

/** Fails: OperatorError naming the file, and the field when there is one. */
export async function readGenesis(path: string): Promise<Genesis> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new OperatorError(`genesis file ${path}: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  try {
    const genesis = parseGenesis(json);
    assertServed(genesis);
    return genesis;
  } catch (error) {
    return asOperatorError(error, `genesis file ${path}: `);
  }
}

/** Changes at a block that belong to later parts, with their keys in the file. */
const LATER_TRANSITIONS = [
  ['maxCodeSize', 'contractsizelimit'],
  ['enhancedPermissioning', 'enhancedPermissioningEnabled'],
  ['privacyEnhancements', 'privacyEnhancementsEnabled'],
  ['privacyPrecompile', 'privacyPrecompileEnabled'],
  ['gasPriceEnabled', 'gasPriceEnabled'],
  ['gasLimit', 'miner.gaslimit'],
  ['maxTransactionSize', 'transactionSizeLimit'],
] as const;

/** Refuses by name what the file asks for and this node does not do yet; ignoring it would fork the chain later. */
function assertServed({ consensus }: Genesis): void {
  if (consensus.engine === 'raft') throw new GenesisError('config.raft: raft ordering is not served yet');
  for (const transition of consensus.transitions) {
    const later = LATER_TRANSITIONS.find(([field]) => transition[field] !== undefined);
    if (later !== undefined) throw new GenesisError(`config.transitions: ${later[1]}: not served yet`);
  }
}

/** Conditions that have names of their own are for the operator; anything else is a fault. */
const FOR_OPERATORS = new Set([
  'GenesisError',
  'WrongGenesisError',
  'InvalidBlockError',
  'ConsensusError',
  'LedgerStoreError',
  'NotTheValidatorError',
  'KeystoreError',
]);

/** Rethrows with one line for the operator where the error is meant for him. */
export function asOperatorError(error: unknown, prefix = ''): never {
  if (error instanceof Error && FOR_OPERATORS.has(error.name))
    throw new OperatorError(`${prefix}${error.message}`);
  throw error;
}
