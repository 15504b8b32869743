import { isOnCurve, rollupDomain, type Point } from '@tetrad/rollup-crypto';
import { hexFromBytes, isAddress, parseAddress, type Address } from '@tetrad/types';
import { AbiCoder, ParamType, type Result } from 'ethers/abi';

/** What a contract was deployed with. Those of earlier versions have no rates of requests and deposits. */
export interface DeploymentTerms {
  readonly operator: Address;
  readonly operatorKey: Point;
  readonly stallTimeout: bigint;
  readonly requestsPerTimeout?: bigint | undefined;
  readonly depositsPerTimeout?: bigint | undefined;
  /** Blocks of a turn, of a contract with turns. */
  readonly turnBlocks?: bigint | undefined;
  readonly etherUnit: bigint;
  readonly minDeposit: bigint;
  readonly verifiers: readonly { readonly size: bigint; readonly verifier: Address }[];
}

/** More than any deployment has; each is two addresses and some code to read. */
const MAX_VERIFIERS = 64;

/**
 * Reads the arguments of the constructor, which follow the code of the creation.
 *
 * @param signature - what the constructor takes, `constructor(address operator, …)`
 * @param data - the arguments
 * @returns undefined for what `deployRollup` does not write: more bytes, an unused bit, too many verifiers
 */
export function readDeploymentTerms(signature: string, data: Uint8Array): DeploymentTerms | undefined {
  const coder = AbiCoder.defaultAbiCoder();
  const types = ParamType.from(signature).components ?? [];
  const hex = hexFromBytes(data);
  try {
    const values = coder.decode(types, hex);
    // What decodes to the same may be written in many ways.
    if (coder.encode(types, values) !== hex) return undefined;
    return termsOf(flatten(types, values));
  } catch {
    return undefined;
  }
}

/** Fields of the arguments by their names, those of structs as well. */
function flatten(types: readonly ParamType[], values: Result): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [index, type] of types.entries()) {
    const value: unknown = values[index];
    if (type.baseType === 'tuple')
      for (const [name, inner] of flatten(type.components ?? [], value as Result)) fields.set(name, inner);
    else fields.set(type.name, value);
  }
  return fields;
}

function termsOf(fields: ReadonlyMap<string, unknown>): DeploymentTerms | undefined {
  const number = (name: string) => fields.get(name) as bigint | undefined;
  const sized = [...(fields.get('verifiers') as Iterable<readonly [bigint, string]>)];
  const [x, y] = fields.get('operatorKey') as readonly [bigint, bigint];
  const operator = String(fields.get('operator'));
  if (sized.length > MAX_VERIFIERS || !isAddress(operator) || !isOnCurve({ x, y })) return undefined;
  return {
    operator: parseAddress(operator),
    operatorKey: { x, y },
    stallTimeout: number('stallTimeout') as bigint,
    etherUnit: number('etherUnit') as bigint,
    minDeposit: number('minDeposit') as bigint,
    turnBlocks: number('turnBlocks'),
    requestsPerTimeout: number('requestsPerTimeout'),
    depositsPerTimeout: number('depositsPerTimeout'),
    verifiers: sized.map(([size, verifier]) => ({ size, verifier: parseAddress(verifier) })),
  };
}

/** Parts of the time-out in which a contract with turns counts time. */
const PERIODS = 4n;

/**
 * What an immutable of a contract must be.
 *
 * @param name - of the immutable in the source
 * @param terms - what the contract was deployed with
 * @param place - the chain and the address of the contract
 * @returns undefined for a name that no version has
 */
export function immutableOf(
  name: string,
  terms: DeploymentTerms,
  { chainId, address }: { readonly chainId: bigint; readonly address: Address },
): bigint | undefined {
  const { operatorKey, stallTimeout, requestsPerTimeout, depositsPerTimeout, turnBlocks, minDeposit } = terms;
  const values: Readonly<Record<string, bigint | undefined>> = {
    domain: rollupDomain(chainId, address),
    operatorKeyX: operatorKey.x,
    operatorKeyY: operatorKey.y,
    stallTimeout,
    requestsPerTimeout,
    depositsPerTimeout,
    turnBlocks,
    minDeposit,
    interval: depositsPerTimeout && (stallTimeout + depositsPerTimeout - 1n) / depositsPerTimeout,
    periodSeconds: (stallTimeout + PERIODS - 1n) / PERIODS,
  };
  return values[name];
}
