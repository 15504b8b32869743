/** What becomes of an option of web3signer that this signer does not have, or has under another name. */
export type ForeignOption =
  | { readonly fate: 'refused'; readonly problem: string }
  /** Said to have no effect. */
  | { readonly fate: 'ignored' }
  | { readonly fate: 'renamed'; readonly name: string; readonly value: string };

/** Whole families of which one option turns the rest on. */
const FAMILIES: readonly { readonly names: RegExp; readonly switches: RegExp; readonly problem: string }[] = [
  {
    names: /^metrics-push-/,
    switches: /^metrics-push-enabled$/,
    problem:
      'metrics are not pushed; let them be read from the port of --metrics-enabled or of --ops-listen-port',
  },
];

/** Options whose values are secrets → options for files. */
const SECRETS: Readonly<Record<string, string>> = {
  'downstream-http-proxy-password': '--downstream-http-proxy-password-file',
  'aws-kms-secret-access-key': '--aws-kms-secret-access-key-file',
  'aws-secrets-secret-access-key': '--aws-secrets-secret-access-key-file',
  'azure-client-secret': '--azure-client-secret-file',
};

/** In seconds → our options, with a unit. */
const SECONDS: Readonly<Record<string, string>> = {
  'idle-connection-timeout-seconds': 'http-keep-alive-timeout',
  'azure-response-timeout': 'azure-timeout',
};

/** Of a Java server's inside, or of pages that are not here. */
const WITHOUT_EFFECT = [
  'aws-connection-cache-size',
  'aws-kms-client-cache-size',
  'access-logs-enabled',
  'swagger-ui-enabled',
  'vertx-worker-pool-size',
  'xworker-pool-size',
  'xkey-store-parallel-processing-enabled',
];

/**
 * Looks an option up.
 *
 * Source: Consensys/web3signer, commandline: Web3SignerBaseCommand, Eth1SubCommand and the options mixed into them
 *
 * @param name - without dashes
 * @param value - `true` for a bare switch
 * @returns undefined for one that is not web3signer's, or that the signer's own table has
 */
export function foreignOption(name: string, value: string): ForeignOption | undefined {
  const lower = name.toLowerCase();
  const inSeconds = Object.hasOwn(SECONDS, lower) ? SECONDS[lower] : undefined;
  if (inSeconds !== undefined) return { fate: 'renamed', name: inSeconds, value: `${value}s` };
  const inFile = Object.hasOwn(SECRETS, lower) ? SECRETS[lower] : undefined;
  if (inFile !== undefined)
    return { fate: 'refused', problem: `secrets come from files; write it into one for ${inFile}` };
  if (WITHOUT_EFFECT.includes(lower)) return { fate: 'ignored' };
  const family = FAMILIES.find(({ names }) => names.test(lower));
  if (family === undefined) return undefined;
  const isOn = family.switches.test(lower) && value.toLowerCase() !== 'false';
  return isOn ? { fate: 'refused', problem: family.problem } : { fate: 'ignored' };
}

/** Whether an option of web3signer alone is a switch; all of those are named alike. */
export function isForeignSwitch(flag: string): boolean {
  return flag.endsWith('-enabled') && foreignOption(flag.replace(/^--/, ''), 'false') !== undefined;
}
