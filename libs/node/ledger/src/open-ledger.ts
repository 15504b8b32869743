import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import { StateDatabase, type Genesis } from '@tetrad/node-execution';
import type { LedgerStore } from '@tetrad/node-store';
import { toBlockWrite } from './block-rows.js';
import { ChainReader } from './chain-reader.js';
import { ChainRules, validatorChange } from './chain-rules.js';
import { chainStart, type ChainStart } from './chain-start.js';
import { Ledger } from './ledger.js';
import type { LedgerOptions } from './ledger-parts.js';
import { ValidatorHistory } from './validator-history.js';

/** The database holds another chain than the genesis file describes. */
export class WrongGenesisError extends Error {
  override readonly name = 'WrongGenesisError';
}

const DEFAULT_CACHED_TRANSACTIONS = 8_000;

/** Opens the chain of the genesis file: makes block 0 in a new database, reads the head of an existing one. */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { genesis, store, metrics } = options;
  const state = new StateDatabase({
    source: store,
    metrics,
    ...(options.stateCache === undefined ? {} : { limits: options.stateCache }),
  });
  const rules = new ChainRules(genesis);
  const initial = await chainStart(options, rules, state);
  await matchDatabase(store, genesis, initial);
  const head = await store.findHead();
  if (head === undefined) throw new WrongGenesisError('the database has no head block');
  const cachedTransactions = options.cachedTransactions ?? DEFAULT_CACHED_TRANSACTIONS;
  const reader = new ChainReader({ store, chainId: genesis.chainId, cachedTransactions, metrics });
  const headBlock = await reader.findBlock(head.number);
  if (headBlock === undefined)
    throw new WrongGenesisError(`the database lacks its head block ${head.number}`);
  const snapshot = await newestSnapshot(store, head.number, initial.snapshot);
  const validators = new ValidatorHistory(rules, store.validators, snapshot);
  return new Ledger(options, {
    ...{ state, reader, rules, validators, headBlock, totalTransactions: head.totalTransactions },
  });
}

/** Makes a new database this chain's. Fails: WrongGenesisError when it is another's. */
async function matchDatabase(store: LedgerStore, genesis: Genesis, start: ChainStart): Promise<void> {
  const { block, changes, snapshot } = start;
  const identity = await store.findIdentity();
  if (identity === undefined) {
    const validators = validatorChange(undefined, snapshot);
    const write = toBlockWrite(block, { receipts: [], changes, totalTransactions: 0, validators });
    await store.initialise({ chainId: genesis.chainId, genesisHash: block.hash }, write);
  } else if (identity.genesisHash !== block.hash || identity.chainId !== genesis.chainId) {
    throw new WrongGenesisError(
      `the database holds the chain with genesis ${identity.genesisHash} (chain id ${identity.chainId}), ` +
        `the genesis file describes ${block.hash} (chain id ${genesis.chainId})`,
    );
  }
}

async function newestSnapshot(
  store: LedgerStore,
  number: number,
  genesis: ValidatorSnapshot,
): Promise<ValidatorSnapshot> {
  const row = await store.validators.findSnapshot(number);
  if (row !== undefined) return { number, ...row };
  // A chain from before sets were stored: nobody could vote, so it still has its first one.
  await store.validators.initialise(genesis.validators);
  return { ...genesis, number };
}
