/** Addresses of the contracts of a random world, as words; one has the highest bit of an address. */
export const CONTRACTS: readonly bigint[] = [0xc0de01n, 0xc0de02n, 2n ** 159n + 0xc0de03n];
