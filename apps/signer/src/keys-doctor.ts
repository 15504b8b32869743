import { personalMessageDigest } from '@tetrad/crypto';
import { SigningKeys, type KeySourceSettings } from '@tetrad/signer-keys';
import { OperatorError, RequestError, silentLogger, systemClock, type Address } from '@tetrad/types';
import { keySources, type KeysConfig } from './key-sources.js';

/** What was found of the keys. */
export interface KeysReport {
  readonly text: string;
  /** Whether all keys that are configured sign. */
  readonly isWell: boolean;
}

/** Signed with each key to find out whether it may sign; a message to people, which is not a transaction. */
const TRIAL = personalMessageDigest(
  Buffer.from('tetrad signer keys doctor: a trial signature without any meaning'),
);

/**
 * Loads the keys of each source and lets each key sign.
 *
 * @returns a line for each key, and one for each that cannot be used, with what is wrong
 * @throws OperatorError when the options name no source
 */
export async function checkKeys(config: KeysConfig): Promise<KeysReport> {
  const findings: Finding[] = [];
  // One after the other: a source that cannot be read must not hide the others.
  for (const source of keySources(config)) findings.push(...(await checkSource(source)));
  if (findings.length === 0) findings.push({ mark: 'PROBLEM', line: 'the sources have no key' });
  return {
    text: findings.map(({ mark, line }) => `${mark.padEnd(8)} ${line}`).join('\n'),
    isWell: findings.every(({ mark }) => mark !== 'PROBLEM'),
  };
}

interface Finding {
  readonly mark: 'ok' | 'warning' | 'PROBLEM';
  readonly line: string;
}

/** Lines of the log that say that a key does not sign. */
const PROBLEMS = new Set(['key not loaded', 'key unavailable']);

async function checkSource(source: KeySourceSettings): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const logger = {
    ...silentLogger,
    warn: (message: string, values: Readonly<Record<string, unknown>> = {}) => {
      const name = values['name'] === undefined ? '' : `${String(values['name'])}: `;
      const line = `${source.kind}: ${name}${String(values['reason'])}`;
      findings.push({ mark: PROBLEMS.has(message) ? 'PROBLEM' : 'warning', line });
    },
  };
  let keys: SigningKeys;
  try {
    keys = await SigningKeys.open(
      { sources: [source], watch: false },
      { logger, clock: systemClock, variables: process.env },
    );
  } catch (error) {
    if (error instanceof OperatorError)
      return [{ mark: 'PROBLEM', line: `${source.kind}: ${error.message}` }];
    throw error;
  }
  try {
    await keys.whenLoaded();
    for (const address of keys.list()) {
      const fault = await trialFault(keys, address);
      const mark = fault === undefined ? 'ok' : 'PROBLEM';
      findings.push({ mark, line: `${source.kind}: ${address} ${fault ?? 'signs'}` });
    }
    return findings;
  } finally {
    keys.close();
  }
}

/** @returns the reason of the error; the log has more. Undefined when the key signs */
async function trialFault(keys: SigningKeys, address: Address): Promise<string | undefined> {
  try {
    await keys.sign(address, TRIAL);
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error.code;
    throw error;
  }
}
