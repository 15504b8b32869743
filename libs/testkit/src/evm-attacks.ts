import { createHash } from 'node:crypto';
import { keccak256, signDigest } from '@tetrad/crypto';

/** A contract that runs until it is out of gas, and its call data. */
export interface EvmAttack {
  readonly name: string;
  /** Deployed code, hex without 0x. */
  readonly code: string;
  /** Hex without 0x. */
  readonly data: string;
}

/** JUMPDEST; the body; PUSH1 0; JUMP. The body leaves the stack as it was. */
const forever = (body: string) => `5b${body}600056`;

/** CALL of the contract itself with all gas, no value and no data; POP of its outcome. */
const CALL_SELF = '60006000600060006000305af150';

/** Bytes that the copies and hashes go over. */
const LARGE = '62020000';

/**
 * CODECOPY of this code twice, so that memory holds 48 KiB of JUMPDEST. Then forever: the remaining gas is written to
 * offset 0, where it forms an init code that was never seen and stops at once, and CREATE executes it.
 */
const DEPLOYER = ['6160006000600039', '616000600061600039', '5b5a60005261c00060006000f050601156']
  .join('')
  .padEnd(2 * 24_576, '5b');

/** CALLDATACOPY of the data after the first word; then forever STATICCALL of the address in that word with it. */
const CALLER = ['6020360360206000375b', '600060006020360360006000355afa50', '600956'].join('');

const contracts: readonly EvmAttack[] = [
  ['jump', forever('')],
  ['call itself', forever(CALL_SELF)],
  ['fill the memory of every frame', forever(`60016201ffe052${CALL_SELF}`)],
  ['copy code', forever(`${LARGE}6000600039`)],
  ['exponentiate', forever('60001960030a50')],
  ['multiply modulo', forever('6002196000196000190950')],
  ['hash a lot', forever(`${LARGE}60002050`)],
  ['hash little', forever('602060002050')],
  ['log', forever('6120006000a0')],
  // GAS is never twice the same.
  ['read slots that are not in memory', forever('5a5450')],
  ['read accounts that are not in memory', forever('5a3150')],
  ['fill slots', forever('5a5a55')],
  ['deploy', DEPLOYER],
].map(([name, code]) => ({ name, code, data: '' }) as EvmAttack);

/** Generators of bn254. Source: EIP-197, "Definition of the groups" */
const BN254_PAIR =
  '01'.padStart(64, '0') +
  '02'.padStart(64, '0') +
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2' +
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b' +
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa';

/** Generator of the first group of BLS12-381. Source: EIP-2537, "Curve parameters" */
const BLS12_G1 =
  '17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'.padStart(
    128,
    '0',
  ) +
  '08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1'.padStart(
    128,
    '0',
  );

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const word = (value: number) => value.toString(16).padStart(64, '0');

/** Commitment and proof are points at infinity, which open the polynomial 0 at every place as 0 (EIP-4844). */
function openingOfZero(): string {
  const infinity = `c0${'00'.repeat(47)}`;
  const hash = createHash('sha256').update(Buffer.from(infinity, 'hex')).digest('hex');
  return `01${hash.slice(2)}${word(7)}${word(0)}${infinity}${infinity}`;
}

/** A digest and a signature of it that recovers. */
function recoverable(): string {
  const digest = keccak256(new Uint8Array(32));
  const { r, s, parity } = signDigest(digest, new Uint8Array(32).fill(1));
  return [hex(digest), word(27 + parity), hex(r), hex(s)].join('');
}

/** Longest operands that Osaka takes (EIP-7823), of a modulus that is even. */
const MODEXP = `${word(1024)}${word(128)}${word(1024)}${'fd'.repeat(1024)}${'ff'.repeat(128)}${'ff'.repeat(1023)}fe`;

const precompiles: readonly EvmAttack[] = [
  ['ECRECOVER', 1, recoverable()],
  ['SHA-256', 2, 'ff'.repeat(50_000)],
  ['RIPEMD-160', 3, 'ff'.repeat(50_000)],
  ['MODEXP', 5, MODEXP],
  ['bn254 pairing', 8, BN254_PAIR.repeat(12)],
  ['BLAKE2F', 9, `007fffff${'07'.repeat(208)}01`],
  ['point evaluation', 0x0a, openingOfZero()],
  ['BLS12-381 sum of products', 0x0c, (BLS12_G1 + 'ff'.repeat(32)).repeat(128)],
].map(([name, address, input]) => ({
  name: `call ${name}`,
  code: CALLER,
  data: word(address as number) + (input as string),
}));

/** Contracts that run as long as possible: loops, recursion, memory, copies, hashes, state, deployments, precompiles. */
export const EVM_ATTACKS: readonly EvmAttack[] = [...contracts, ...precompiles];

/** Init code that stores 1 in slot 0, so that the contract has a storage, and deploys the code. Hex without 0x */
export function initCodeOf({ code }: EvmAttack): string {
  const size = (code.length / 2).toString(16).padStart(4, '0');
  return `600160005561${size}8060116000396000f3${code}`;
}
