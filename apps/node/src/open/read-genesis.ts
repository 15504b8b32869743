import { readFile } from 'node:fs/promises';
import { InvalidBlockError } from '@tetrad/node-block';
import { BftChainRules } from '@tetrad/node-consensus-bft-chain';
import { GenesisError, createExecutor, parseGenesis, type Genesis } from '@tetrad/node-execution';
import { assertChainStarts } from '@tetrad/node-ledger';
import { reasonOf } from '@tetrad/service';
import { OperatorError, type Logger } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import { rulesOf } from './chain-engine.js';
import { parseFileJson } from './parse-file-json.js';

type GenesisOptions = Pick<NodeConfig, 'genesisFile' | 'genesisRules' | 'blockPeriod' | 'requestTimeout'>;

/**
 * Reads the genesis file, before anything is created or opened for its chain.
 * @throws OperatorError naming the file, and the field if one is at fault
 */
export async function readGenesis(options: GenesisOptions): Promise<Genesis> {
  const { genesisFile, genesisRules, blockPeriod: blockPeriodMs, requestTimeout: requestTimeoutMs } = options;
  const fail = (reason: string) => new OperatorError(`genesis file ${genesisFile}: ${reason}`);
  let json: unknown;
  try {
    json = parseFileJson(await readFile(genesisFile, 'utf8'));
  } catch (error) {
    throw fail(reasonOf(error));
  }
  try {
    const genesis = parseGenesis(json, genesisRules, { blockPeriodMs, requestTimeoutMs });
    const rules = rulesOf(genesis);
    assertServed(genesis);
    rules.assertGenesis();
    // Only here can a file be wrong in what the code of its accounts does.
    if (rules instanceof BftChainRules && rules.settingsAt(0).validatorContract !== undefined)
      await assertChainStarts({ genesis, executor: createExecutor(genesis) }, rules);
    return genesis;
  } catch (error) {
    if (error instanceof GenesisError || error instanceof InvalidBlockError) throw fail(error.message);
    throw error;
  }
}

/** Logs the parts of the file that have no effect. */
export function logGenesis({ rules, warnings }: Genesis, logger: Logger): void {
  for (const warning of warnings) logger.warn('genesis file', { warning, rules });
}

/** Refuses unsupported settings of the file by name; ignoring them would fork or expose the chain. */
function assertServed({ promises }: Genesis): void {
  const [promise] = promises;
  if (promise !== undefined)
    throw new GenesisError(
      `${promise}: promises protection that is not served yet; nothing would do what it says`,
    );
}
