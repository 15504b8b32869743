/** A run as texts and numbers, which are equal if and only if the runs were. */
export interface Description {
  readonly gasUsed: number;
  readonly output: string;
  /** In the words of the interpreter that ran it. */
  readonly failure: string | undefined;
  readonly refund: number;
  readonly logs: readonly string[];
  /** Accounts and slots that are warm in the end, one line an account; empty before Berlin. */
  readonly warm: readonly string[];
  /** One line an account. */
  readonly state: readonly string[];
}

export function describeAccount(
  address: string,
  account: {
    nonce: bigint;
    balance: bigint;
    codeHash: string;
    slots: readonly (readonly [bigint, bigint])[];
  },
): string {
  const slots = account.slots.map(([slot, value]) => `${slot.toString(16)}=${value.toString(16)}`).sort();
  return [address, account.nonce, account.balance, account.codeHash, ...slots].join(' ');
}

/** EthereumJS' failure → ours. */
const REASONS: Readonly<Record<string, string>> = {
  revert: 'execution reverted',
  'out of gas': 'out of gas',
  'code store out of gas': 'out of gas',
  'code size to deposit exceeds maximum code size': 'max code size exceeded',
  'invalid bytecode deployed': 'invalid code: must not begin with 0xef',
  'initcode exceeds max initcode size': 'max initcode size exceeded',
  'value out of range': 'out of gas',
  'static state change': 'write protection',
  'create collision': 'contract address collision',
  'insufficient balance': 'insufficient balance for transfer',
  'stack underflow': 'stack underflow',
  'stack overflow': 'stack limit reached',
  'invalid opcode': 'invalid opcode',
};

/** Failures that EthereumJS reports as out of gas, and geth by separate names. */
const ALSO_OUT_OF_GAS = ['return data out of bounds', 'contract creation code storage out of gas'];

/** The kind of a failure, without heights and opcodes. */
function kindOf(failure: string | undefined): string | undefined {
  if (failure === undefined) return undefined;
  if (ALSO_OUT_OF_GAS.includes(failure)) return 'out of gas';
  if (failure.startsWith('invalid JUMP')) return 'invalid jump destination';
  const own = REASONS[failure];
  if (own !== undefined) return own;
  return Object.values(REASONS).find((reason) => failure.startsWith(reason)) ?? failure;
}

/** Checks that geth makes before the gas check, and EthereumJS after it. All gas is consumed either way. */
const BEFORE_GAS = ['stack underflow', 'max initcode size exceeded'];

/** Whether the runs ended the same way. */
export function isSameFailure(own: string | undefined, oracle: string | undefined): boolean {
  const [ownKind, oracleKind] = [kindOf(own), kindOf(oracle)];
  return ownKind === oracleKind || (BEFORE_GAS.includes(ownKind ?? '') && oracleKind === 'out of gas');
}

/** Precompiles, which are warm in any case, are left out. */
export function describeWarm(entries: Iterable<readonly [bigint, readonly bigint[]]>): string[] {
  return [...entries]
    .filter(([address]) => address > 0x200n)
    .map(([address, slots]) => [address, ...[...slots].sort()].map((word) => word.toString(16)).join(' '))
    .sort();
}
