const word = (last: number) => [...new Uint8Array(31), last];
const account = [0, 0, 0, 3, ...word(1)];

type Case = readonly [said: string, size: number, ...bytes: number[]];

/** What the contract says to a batch of a size with such bytes as its operations: `InvalidProof` where it reads them. */
export const MALFORMED_OPERATIONS: readonly Case[] = [
  ['InvalidProof', 1, 0, 0],
  ['InvalidProof', 2, 0, 0, 0, 1, ...word(1)],
  ['InvalidProof', 1, 1, 2, ...account, ...word(5), ...word(1)],
  ['IncompleteCreation', 1, 1, 0, ...account],
  ['InvalidProof', 1, 0, 15, ...Array.from({ length: 15 }, () => word(9)).flat()],
  ['WrongLength', 1],
  ['WrongLength', 1, 0],
  ['WrongLength', 1, 0, 0, 0],
  ['WrongLength', 2, 0, 0],
  ['WrongLength', 1, 0, 0, 0, 0],
  ['WrongLength', 1, 0, 1],
  ['WrongLength', 1, 0, 1, ...word(1).slice(1)],
  ['WrongLength', 1, 0, 1, ...word(0)],
  ['WrongLength', 1, 0, 2, ...word(1), ...word(0)],
  ['WrongLength', 1, 0, 16, ...Array.from({ length: 16 }, () => word(9)).flat()],
  ['WrongLength', 1, 0, 255],
  ...[1, 2, 3, 4, 5, 6, 7].map((kind): Case => ['WrongLength', 1, kind, 0, ...account.slice(1)]),
  ['UnknownKind', 1, 8, 0, ...account],
  ['UnknownKind', 1, 255, 255],
  ['NotAFieldElement', 1, 0, 1, ...new Uint8Array(32).fill(255)],
  ['NotAFieldElement', 1, 1, 0, 0, 0, 0, 3, ...new Uint8Array(32).fill(255)],
  ['UnknownBatchSize', 3, 0, 0, 0, 0, 0, 0],
  ['UnknownBatchSize', 0],
  ['UnknownBatchSize', 2 ** 40],
];
