/** Pricing scheme of SSTORE. */
export type StorePricing = 'plain' | 'net' | 'netWithSentry';

/** Gas constants that forks have changed. */
export interface GasTable {
  readonly balance: number;
  readonly extCodeSize: number;
  readonly extCodeCopy: number;
  readonly extCodeHash: number;
  readonly call: number;
  readonly load: number;
  readonly selfDestruct: number;
  readonly expByte: number;
  /** Changing a slot that was not zero. */
  readonly storeReset: number;
  /** Given back for a slot that becomes zero. */
  readonly storeClearRefund: number;
  readonly selfDestructRefund: number;
  /** First touch of an account in a transaction; 0 without access sets. */
  readonly coldAccount: number;
  readonly coldSlot: number;
  /** A touch after the first. */
  readonly warm: number;
  /** A byte of transaction data that is not zero. */
  readonly dataByte: number;
}

/** Static properties of an opcode. */
export interface OpcodeRule {
  readonly name: string;
  /** Static gas, independent of the operands. */
  readonly gas: number;
  readonly inputs: number;
  readonly outputs: number;
}

/** Features that depend on the fork only. */
export interface Features {
  /** A creation that cannot pay for its code fails, and costs more in a transaction. EIP-2. */
  readonly strictCreation: boolean;
  /** A call keeps a sixty-fourth of the gas. EIP-150. */
  readonly gasReserve: boolean;
  /** Accounts without nonce, balance and code are not in the state. EIP-161. */
  readonly noEmptyAccounts: boolean;
  /** SELFDESTRUCT pays for an account that it creates. EIP-150. */
  readonly paidBeneficiary: boolean;
  readonly storePricing: StorePricing;
  /** Accounts and slots are cold until they are touched. EIP-2929. */
  readonly accessSets: boolean;
  readonly baseFee: boolean;
  /** The block's random value replaces its difficulty. EIP-4399. */
  readonly randomness: boolean;
  readonly warmCoinbase: boolean;
  readonly limitedInitCode: boolean;
  /** SELFDESTRUCT deletes only contracts that the same transaction created. EIP-6780. */
  readonly lastingContracts: boolean;
  /** Data has a floor price. EIP-7623. */
  readonly dataFloor: boolean;
  /** Code that points to another account's code. EIP-7702. */
  readonly delegatedCode: boolean;
  /** Maximum size of deployed code in bytes; Infinity for no bound. EIP-170. */
  readonly maxCodeSize: number;
  /** Divisor of the used gas; refunds are at most the quotient. */
  readonly refundQuotient: number;
  /** Code that begins with 0xef is rejected. EIP-3541. */
  readonly reservedPrefix: boolean;
  /** Maximum gas limit of a transaction. EIP-7825. */
  readonly maxTransactionGas: number;
  /** EIP-2930 and EIP-1559 transactions. */
  readonly accessListTransactions: boolean;
  readonly dynamicFeeTransactions: boolean;
}

/** Changes of a fork relative to the previous one. */
export interface ForkChange {
  readonly features?: Partial<Features>;
  readonly gas?: Partial<GasTable>;
  /** Opcode → what it is from now on. */
  readonly opcodes?: Readonly<Record<number, OpcodeRule>>;
}

/** All rules of one fork. */
export interface Rules extends Features {
  readonly gas: GasTable;
  /** By opcode; undefined for one that the fork does not have. */
  readonly opcodes: readonly (OpcodeRule | undefined)[];
}

/** An opcode whose gas is settled by its handler on top of `gas`. */
export function opcode(name: string, gas: number, inputs: number, outputs: number): OpcodeRule {
  return { name, gas, inputs, outputs };
}
