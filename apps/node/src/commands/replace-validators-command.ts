import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unsignedRecord } from '@tetrad/node-consensus-bft';
import { isSameSet } from '@tetrad/node-consensus-bft-chain';
import type { Genesis } from '@tetrad/node-execution';
import { blockZeroOf } from '@tetrad/node-ledger';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import {
  OptionError,
  defineOptions,
  listOption,
  option,
  pathOption,
  reasonOf,
  textOption,
  type ConfigOf,
  type ServiceEnvironment,
} from '@tetrad/service';
import { OperatorError, parseAddress, type Address } from '@tetrad/types';
import { nodeOptions } from '../options/config.js';
import { openDatabase } from '../open/database.js';
import { readNodeKey } from '../open/node-key.js';
import { asOperatorError } from '../open/operator-errors.js';
import { readGenesis } from '../open/read-genesis.js';
import { rulesOf } from '../open/chain-engine.js';
import { genesisWithValidators } from './genesis-with-validators.js';

const CHAIN = 'Chain';

export const replaceOptions = defineOptions({
  ...nodeOptions,
  validators: option(listOption(textOption('ADDRESS')), {
    group: CHAIN,
    description:
      'The new validators: writes a genesis file with them, for all nodes, and changes nothing else. Without it the genesis file is put in force here.',
    default: [] as readonly string[],
  }),
  out: option(pathOption(), { group: CHAIN, description: 'New genesis file, with --validators.' }),
});

type ReplaceConfig = ConfigOf<typeof replaceOptions>;

/**
 * Replaces the validators after the head, which no vote can do any more. With `--validators` it writes the genesis file that all
 * operators agree on; without, it puts that file in force in this node's database.
 *
 * @returns a line of JSON for the operator
 * @throws OptionError, OperatorError
 */
export async function replaceValidators(
  config: ReplaceConfig,
  { logger }: ServiceEnvironment,
): Promise<string> {
  const { validators, out } = config;
  if (validators.length === 0 && out !== undefined) throw new OptionError('--out', 'goes with --validators');
  if (validators.length > 0 && out === undefined)
    throw new OptionError('--out', 'is required with --validators: a new file for all nodes');
  const genesis = await readGenesis(config);
  const opened = await openDatabase(config, logger);
  try {
    const store = await openLedgerStore(opened.database).catch(asOperatorError);
    try {
      const head = await headOf(store, genesis);
      const result =
        out === undefined
          ? await putInForce(config, { store, genesis, head })
          : await writeGenesis(config, { genesis, out, head, validators: validators.map(toAddress) });
      return JSON.stringify({ head: head.number, hash: head.hash, ...result });
    } finally {
      await store.close();
    }
  } finally {
    await opened.close();
  }
}

interface Head {
  readonly number: number;
  readonly hash: string;
}

/** @throws OperatorError when the database holds another chain, or none */
async function headOf(store: LedgerStore, genesis: Genesis): Promise<Head> {
  const identity = await store.findIdentity();
  const head = await store.findHead();
  if (identity === undefined || head === undefined)
    throw new OperatorError(
      'the database contains no chain yet: start the node, so that it gets the chain from a peer',
    );
  const { hash } = await blockZeroOf(genesis, rulesOf(genesis));
  if (identity.genesisHash !== hash)
    throw new OperatorError(
      `the database holds the chain with genesis ${identity.genesisHash}, the file describes ${hash}`,
    );
  return head;
}

interface NewSet {
  readonly genesis: Genesis;
  readonly out: string;
  readonly head: Head;
  readonly validators: readonly Address[];
}

async function writeGenesis(
  { genesisFile }: ReplaceConfig,
  { genesis, out, head, validators }: NewSet,
): Promise<object> {
  const rules = rulesOf(genesis);
  if (!('settingsAt' in rules) || rules.settingsAt(head.number).validatorContract !== undefined)
    throw new OperatorError(
      'the genesis file does not name the validators of this chain: under raft they are members, and a contract names them elsewhere',
    );
  const text = genesisWithValidators(await readFile(genesisFile, 'utf8'), head.number, validators);
  try {
    await writeFile(out, text, { flag: 'wx' });
  } catch (error) {
    throw new OperatorError(`--out: ${out}: ${reasonOf(error)}`);
  }
  return { out, validators, sha256: createHash('sha256').update(text).digest('hex') };
}

async function putInForce(
  config: ReplaceConfig,
  { store, genesis, head }: { readonly store: LedgerStore; readonly genesis: Genesis; readonly head: Head },
): Promise<object> {
  const validators = listedAt(genesis, head.number);
  const key = await readNodeKey(config.nodeKeyFile ?? join(config.dataDir, 'nodekey'), false);
  const validator = key.address;
  const stored = (await store.validators.findSnapshot(head.number))?.validators ?? [];
  const replaces = !isSameSet(stored, validators);
  const isValidator = validators.includes(validator);
  // What was signed for another set has no force in this one; what was signed for this one must not be contradicted.
  const hasRecord = (await store.consensusRecords.find(validator)) !== undefined;
  const signs = isValidator && (replaces || !hasRecord);
  await store.validators.replace({
    head: head.number,
    validators: replaces ? validators : undefined,
    record: signs ? { validator, row: unsignedRecord(head.number + 1) } : undefined,
  });
  return { validators, replaced: replaces, address: validator, isValidator, record: signs ? 'new' : 'kept' };
}

/**
 * The set that the genesis file lists for the head.
 * @throws OperatorError naming the block that it lists one for
 */
function listedAt(genesis: Genesis, head: number): readonly Address[] {
  const rules = rulesOf(genesis);
  const listed = 'settingsAt' in rules ? rules.settingsAt(head).listedValidators : undefined;
  if (listed !== undefined) return listed;
  const last = genesis.consensus.transitions
    .filter(({ validators }) => validators !== undefined)
    .at(-1)?.block;
  if (last === undefined)
    throw new OperatorError('the genesis file has no transition with validators; see --validators');
  throw new OperatorError(
    last > head
      ? `the genesis file replaces the validators after block ${last}, and this node is at block ${head}: start it, so that it gets the blocks between from a peer`
      : `the genesis file replaces the validators after block ${last}, and this node is at block ${head} already: the file has to be made by the node with the newest head`,
  );
}

function toAddress(text: string): Address {
  try {
    return parseAddress(text);
  } catch {
    throw new OptionError('--validators', `${text} is not an address`);
  }
}
