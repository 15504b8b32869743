import type { HardhatRuntime, HttpNetwork } from './hardhat-types.js';

/** A network that Hardhat adds to every configuration. */
const ADDED = 'localhost';

/**
 * The network that is meant: the one that a call names, else that of `--network`, else the only one over HTTP that the user has configured.
 *
 * @param hre - the runtime
 * @param named - by the call
 * @returns its configuration
 * @throws Error that says which networks there are
 */
export function chooseNetwork(
  { config, globalOptions }: Pick<HardhatRuntime, 'config' | 'globalOptions'>,
  named?: string,
): HttpNetwork {
  const known = Object.entries(config.networks).flatMap(([name, network]) =>
    network.type === 'http' ? [{ name, network }] : [],
  );
  const names = known.map(({ name }) => name).join(', ');
  const wanted = named ?? (globalOptions.network === '' ? undefined : globalOptions.network);
  const [only, ...others] = known.filter(({ name }) =>
    wanted === undefined ? name !== ADDED : name === wanted,
  );
  if (only === undefined && wanted !== undefined)
    throw new Error(`${wanted}: is no network of type http in the configuration (${names})`);
  if (only === undefined || others.length > 0)
    throw new Error(`network: is needed, by --network or in the call: ${names}`);
  return only.network;
}
