import { hexFromBytes, type Hex } from '@tetrad/types';
import { AbiCoder, Result, type Interface, type ParamType } from 'ethers/abi';
import { getBytes } from 'ethers/utils';
import { bytesFromText, textFromBytes } from './contract-text.js';

/** Calls, results and events with texts as `textFromBytes` makes them; strings and bytes have one encoding. */

const coder = AbiCoder.defaultAbiCoder();
const WORD = 32;

/**
 * Data of a call.
 * @throws TypeError for a value that its type cannot hold
 */
export function encodeCall(abi: Interface, name: string, values: readonly unknown[]): Hex {
  const { selector, inputs } = knownFunction(abi, name);
  const written = values.map((value, index) =>
    isText(inputs[index]) ? bytesFromText(String(value)) : value,
  );
  return `${selector}${coder.encode(inputs.map(typeOf), written).slice(2)}` as Hex;
}

/**
 * Values of return data.
 * @throws Error for data of another shape, such as a revert's
 */
export function decodeResult(abi: Interface, name: string, data: Hex): Result {
  const { outputs } = knownFunction(abi, name);
  if ((data.length / 2 - 1) % WORD !== 0) throw new Error('return data is not whole words');
  return decodeValues(outputs, data);
}

/**
 * Values of an event, none of which are indexed.
 * @throws Error for data of another shape
 */
export function decodeEventData(inputs: readonly ParamType[], data: Uint8Array): Result {
  return decodeValues(inputs, hexFromBytes(data));
}

function decodeValues(types: readonly ParamType[], data: Hex): Result {
  const values = coder.decode(types.map(typeOf), data).toArray();
  const texts = values.map((value: unknown, index) =>
    isText(types[index]) ? textFromBytes(getBytes(String(value))) : value,
  );
  return Result.fromItems(texts);
}

function knownFunction(abi: Interface, name: string) {
  const found = abi.getFunction(name);
  if (found === null) throw new Error(`the contract has no function ${name}`);
  return found;
}

function typeOf(type: ParamType): string {
  return isText(type) ? 'bytes' : type.format();
}

function isText(type: ParamType | undefined): boolean {
  return type?.type === 'string';
}
