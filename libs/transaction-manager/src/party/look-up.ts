import { lookup } from 'node:dns/promises';

/**
 * Addresses of a host name.
 * @throws when it cannot be looked up
 */
export type LookUp = (name: string) => Promise<readonly string[]>;

/** As the system does, files and search domains included. Each holds a thread of the process, and cannot be ended. */
export const lookUpInSystem: LookUp = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);
