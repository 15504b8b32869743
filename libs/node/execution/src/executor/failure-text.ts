import { EVMError } from '@ethereumjs/evm';

const { errorMessages } = EVMError;

/** EthereumJS' reasons in the words of geth, which people search logs and answers for. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  [errorMessages.REVERT, 'execution reverted'],
  [errorMessages.OUT_OF_GAS, 'out of gas'],
  [errorMessages.CODESTORE_OUT_OF_GAS, 'contract creation code storage out of gas'],
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM, 'max code size exceeded'],
  [errorMessages.INITCODE_SIZE_VIOLATION, 'max initcode size exceeded'],
  [errorMessages.INVALID_BYTECODE_RESULT, 'invalid code: must not begin with 0xef'],
  [errorMessages.STACK_UNDERFLOW, 'stack underflow'],
  [errorMessages.STACK_OVERFLOW, 'stack limit reached 1024 (1023)'],
  [errorMessages.INVALID_OPCODE, 'invalid opcode: INVALID'],
  [errorMessages.OUT_OF_RANGE, 'return data out of bounds'],
  [errorMessages.STATIC_STATE_CHANGE, 'write protection'],
  [errorMessages.CREATE_COLLISION, 'contract address collision'],
  [errorMessages.INSUFFICIENT_BALANCE, 'insufficient balance for transfer'],
]);

/** Why the EVM stopped, in geth's words where geth has some. */
export function failureText(error: EVMError): string {
  // The library appends where it was.
  if (error.error.startsWith(errorMessages.INVALID_JUMP)) return 'invalid jump destination';
  return TEXTS.get(error.error) ?? error.error;
}
