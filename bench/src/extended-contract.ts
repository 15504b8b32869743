import type { Network } from '@tetrad/devnet';
import { callRpc } from './call-rpc.js';

export type Party = Network['endpoints']['nodes'][number];

/**
 * Creation code of a contract that writes its slots from the first word of call data to the one before the second: in each
 * the complement of its number, which has 32 bytes.
 *
 *     creation   PUSH1 19 DUP1 PUSH1 0b PUSH1 00 CODECOPY PUSH1 00 RETURN
 *     00         PUSH1 00 CALLDATALOAD
 *     03         JUMPDEST DUP1 PUSH1 20 CALLDATALOAD GT ISZERO PUSH1 17 JUMPI
 *     0d         DUP1 NOT DUP2 SSTORE PUSH1 01 ADD PUSH1 03 JUMP
 *     17         JUMPDEST STOP
 */
const WRITER = '0x601980600b6000396000f3' + '6000355b806020351115601757801981556001016003565b00';
/** The most that a transaction may have from Osaka on. */
const MAX_GAS = '0x1000000';
/** A new slot costs 22,100 gas and its turn of the loop about 70. */
const SLOTS_PER_TRANSACTION = 740;
const POLL_MS = 20;
const TIMEOUT_MS = 120_000;

/**
 * Creates the contract between two parties.
 * @returns its address, once both have it
 */
export async function createWriter(creator: Party, other: Party): Promise<string> {
  const hash = await send(creator, other, { data: WRITER });
  const receipt = await receiptOn(other, hash);
  await receiptOn(creator, hash);
  return receipt.contractAddress;
}

/**
 * Writes slots 0 to `slots` - 1 by private transactions at once.
 * @returns how many transactions, once both parties have executed them
 */
export async function writeSlots(
  contract: string,
  slots: number,
  [creator, other]: readonly [Party, Party],
): Promise<number> {
  const hashes: string[] = [];
  for (let from = 0; from < slots; from += SLOTS_PER_TRANSACTION) {
    const range = [from, Math.min(from + SLOTS_PER_TRANSACTION, slots)];
    const data = `0x${range.map((value) => value.toString(16).padStart(64, '0')).join('')}`;
    hashes.push(await send(creator, other, { to: contract, data }));
  }
  for (const hash of hashes) await Promise.all([receiptOn(creator, hash), receiptOn(other, hash)]);
  return hashes.length;
}

/**
 * Extends the contract.
 * @returns once the recipient reads its last slot
 */
export async function extend(
  contract: string,
  slots: number,
  { initiator, recipient }: { readonly initiator: Party; readonly recipient: Party },
): Promise<void> {
  const offered = { from: accountOf(initiator), privateFor: [recipient.ptmKey] };
  const offer = [contract, recipient.ptmKey, accountOf(recipient), offered];
  await callRpc(initiator.rpc, 'chainExtension_extendContract', offer);
  const management = await eventually('the contract is not offered', async () => {
    const active = await callRpc(recipient.rpc, 'chainExtension_activeExtensionContracts', []);
    const listed = active as { contractExtended: string; managementContractAddress: string }[];
    return listed.find((one) => one.contractExtended === contract)?.managementContractAddress;
  });
  const approval = { from: accountOf(recipient), privateFor: [initiator.ptmKey] };
  await callRpc(recipient.rpc, 'chainExtension_approveExtension', [management, true, approval]);
  const last = [contract, `0x${(slots - 1).toString(16)}`, 'latest'];
  await eventually('the recipient has not got the contract', async () => {
    const value = (await callRpc(recipient.rpc, 'eth_getStorageAt', last)) as string;
    return BigInt(value) === 0n ? undefined : value;
  });
}

function send(creator: Party, other: Party, call: { to?: string; data: string }): Promise<string> {
  const transaction = { from: accountOf(creator), gas: MAX_GAS, privateFor: [other.ptmKey], ...call };
  return callRpc(creator.rpc, 'eth_sendTransaction', [transaction]) as Promise<string>;
}

interface Receipt {
  readonly status: string;
  readonly contractAddress: string;
}

async function receiptOn({ rpc }: Party, hash: string): Promise<Receipt> {
  const receipt = await eventually(`${hash} has no receipt`, async () => {
    const found = await callRpc(rpc, 'eth_getTransactionReceipt', [hash]);
    return (found as Receipt | null) ?? undefined;
  });
  if (receipt.status !== '0x1') throw new Error(`${hash} failed`);
  return receipt;
}

/** Asks until there is an answer; a node may be behind with a block, or with private state. */
async function eventually<T>(otherwise: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(otherwise);
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
}

function accountOf({ accounts, name }: Party): string {
  const [account] = accounts;
  if (account === undefined) throw new Error(`${name} has no account`);
  return account;
}
