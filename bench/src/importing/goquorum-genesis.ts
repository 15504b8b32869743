/** Fields of our genesis files that GoQuorum does not know; they change nothing where gas has no price. */
const OURS = new Set(['rules', 'zeroBaseFee', 'maxTransactionGas', 'maxCodeSize']);

/**
 * Writes a genesis file of a network of ours, of the fork Berlin, as GoQuorum 24.4 reads it: block 0 is the same.
 *
 * @param genesis - as JSON
 * @returns the same with GoQuorum's `config`
 */
export function goquorumGenesis(genesis: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const config = genesis['config'] as Readonly<Record<string, unknown>>;
  return {
    ...genesis,
    config: {
      ...Object.fromEntries(Object.entries(config).filter(([key]) => !OURS.has(key))),
      isQuorum: true,
      eip155Block: 0,
      // GoQuorum takes the older key for a mistake.
      maxCodeSizeConfig: [{ block: 0, size: config['maxCodeSize'] }],
      qbft: { ...(config['qbft'] as object), testQBFTBlock: 0 },
    },
  };
}
