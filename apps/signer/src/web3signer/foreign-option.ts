/** What becomes of an option of web3signer that this signer does not have, or has under another name. */
export type ForeignOption =
  | { readonly fate: 'refused'; readonly problem: string }
  /** Said to have no effect. */
  | { readonly fate: 'ignored' }
  | { readonly fate: 'renamed'; readonly name: string; readonly value: string };

/** Whole families of which one option turns the rest on. */
const FAMILIES: readonly { readonly names: RegExp; readonly switches: RegExp; readonly problem: string }[] = [
  {
    names: /^azure-/,
    switches: /^azure-vault-enabled$/,
    problem: 'keys in Azure are not supported',
  },
  {
    names: /^aws-/,
    switches: /^aws-(?:kms|secrets)-enabled$/,
    problem: 'keys in AWS are not supported',
  },
  {
    names: /^metrics-push-/,
    switches: /^metrics-push-enabled$/,
    problem:
      'metrics are not pushed; let them be read from the port of --metrics-enabled or of --ops-listen-port',
  },
];

/** Of a Java server's inside, or of pages that are not here. */
const WITHOUT_EFFECT = [
  'access-logs-enabled',
  'swagger-ui-enabled',
  'vertx-worker-pool-size',
  'xworker-pool-size',
  'xkey-store-parallel-processing-enabled',
];

/**
 * Looks an option up.
 *
 * In:     name — without dashes; value — `true` for a bare switch
 * Out:    undefined for one that is not web3signer's, or that the signer's own table has
 * Source: Consensys/web3signer, commandline: Web3SignerBaseCommand, Eth1SubCommand and the options mixed into them
 */
export function foreignOption(name: string, value: string): ForeignOption | undefined {
  const lower = name.toLowerCase();
  if (lower === 'idle-connection-timeout-seconds')
    return { fate: 'renamed', name: 'http-keep-alive-timeout', value: `${value}s` };
  if (lower === 'downstream-http-proxy-password') {
    const problem = 'secrets come from files; write it into one for --downstream-http-proxy-password-file';
    return { fate: 'refused', problem };
  }
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
