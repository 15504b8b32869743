/** What another party has signed that a private transaction did at its node. */
export interface StatedOutcome {
  readonly hash: string;
  readonly status: number;
  readonly gasUsed: number;
  /** Hash of all logs. */
  readonly logsHash: string;
  /** Contracts of private state that it entered, created or named; none of more than 256. */
  readonly contracts: readonly StatedContract[];
  readonly contractCount: number;
}

export interface StatedContract {
  readonly address: string;
  /** Undefined where the party does not have it. */
  readonly storageRoot: string | undefined;
}

/** `tetrad/agreement/outcome/v1` ‖ hash of the statement (32). Units: bytes */
const HEAD_AT = 27 + 32;
const HEAD_BYTES = 109;
const CONTRACT_BYTES = 125;
/** A party that sends more is cut off by the node. */
const MAX_CONTRACTS = 256;

/**
 * Reads an outcome, which the node has checked against its digest.
 *
 * Layout: head (109): hash (32) ‖ status (1) ‖ gas used (8) ‖ hash of the logs (32) ‖ number of contracts (4) ‖ hash of them (32), then for
 * each contract (125): address (20) ‖ 1 or 0 (1) ‖ nonce (8) ‖ balance (32) ‖ storage root (32) ‖ code hash (32). Source:
 * docs/spec/agreement-statements.md
 *
 * @param hex - `0x` text
 * @returns undefined for another length
 */
export function readStatedOutcome(hex: string): StatedOutcome | undefined {
  const part = (at: number, bytes: number) => hex.slice(2 + 2 * at, 2 + 2 * (at + bytes));
  const told = ((hex.length - 2) / 2 - HEAD_AT - HEAD_BYTES) / CONTRACT_BYTES;
  if (!Number.isInteger(told) || told < 0 || told > MAX_CONTRACTS) return undefined;
  const contracts = Array.from({ length: told }, (_, index): StatedContract => {
    const at = HEAD_AT + HEAD_BYTES + index * CONTRACT_BYTES;
    const has = part(at + 20, 1) === '01';
    return { address: `0x${part(at, 20)}`, storageRoot: has ? `0x${part(at + 61, 32)}` : undefined };
  });
  return {
    hash: `0x${part(HEAD_AT, 32)}`,
    status: Number(`0x${part(HEAD_AT + 32, 1)}`),
    gasUsed: Number(`0x${part(HEAD_AT + 33, 8)}`),
    logsHash: `0x${part(HEAD_AT + 41, 32)}`,
    contractCount: Number(`0x${part(HEAD_AT + 73, 4)}`),
    contracts,
  };
}
