import { Interface } from 'ethers/abi';

const ACCOUNT =
  'tuple(uint32 id, uint256[2] publicKey, uint256 jointKeyHash, uint256 balancesRoot, uint64 nonce, uint48 redemptionIndex, uint256 blindingFactor, uint256[28] siblings, uint256 historyRoot) account';
const BALANCE = 'tuple(uint32 tokenId, uint64 amount, uint256[8] siblings) balance';
const ORDER =
  'tuple(uint32 fromId, uint32 tokenId, uint64 amount, uint256 blindingFactor, uint48 totalIndex, uint256[12] siblings, uint256[32] historySiblings) order';
const SIGNATURE = 'tuple(uint256 rx, uint256 ry, uint256 s) signature';
const TRANSFER = `tuple(${ACCOUNT}, ${BALANCE}, uint64 amount, address recipient, ${SIGNATURE}) transfer`;
const REDEMPTION = `tuple(${ACCOUNT}, ${BALANCE}, ${ORDER}, uint256[15] text, ${SIGNATURE}) redemption`;
const CLAIM = `tuple(${ACCOUNT}, address recipient, ${SIGNATURE}) claim`;

/**
 * Calls and events with the proof of an account, of contracts without consents (`exitRules` 3): their leaves have eight words. Such
 * contracts are served, and the rest of their ABI is that of the present one.
 */
export const EARLIER_PROOFS_ABI = new Interface([
  `function requestTransfer(uint256 provedHeight, ${TRANSFER})`,
  `function requestRedemption(uint256 provedHeight, ${REDEMPTION})`,
  `function claimAccount(${CLAIM})`,
  `event TransferRequested(uint32 indexed accountId, uint256 overdueAt, ${TRANSFER})`,
  `event RedemptionRequested(uint32 indexed accountId, uint256 overdueAt, ${REDEMPTION})`,
]);

/** Words of the tuple of an account before there were consents. */
const ACCOUNT_FIELDS = 9;

/**
 * Whether a call has the proof of an account of eight words.
 *
 * @param name - of the function
 * @param values - its arguments, as `stateProofValues` makes them
 * @returns false also for a call without such a proof
 */
export function isEarlierProof(name: string, values: readonly unknown[]): boolean {
  if (!EARLIER_PROOFS_ABI.hasFunction(name)) return false;
  const [account] = (values.at(-1) ?? []) as readonly unknown[];
  return Array.isArray(account) && account.length === ACCOUNT_FIELDS;
}
