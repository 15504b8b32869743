import { InvalidSignatureError, recoverAddress, type RecoverableSignature } from '@tetrad/crypto';
import { readBounded } from '@tetrad/files';
import { addressCodec } from '@tetrad/rpc';
import { OperatorError, bytesFromHex, parseAddress, type Address, type Hex } from '@tetrad/types';
import { z } from 'zod';
import type { RollupContract } from '../chain/rollup-contract.js';
import { parseTypedSignature, typedDigest, typedSignature } from '../chain/typed-digest.js';

/** Says which contract follows a rollup, by its operator. */
export interface SuccessorStatement {
  readonly chainId: bigint;
  /** The rollup that holders leave. */
  readonly contract: Address;
  /** Where the operator asks them to go. */
  readonly successor: Address;
  /** Unix time in seconds until which it is good. */
  readonly deadline: number;
}

/** The statement with the signature of the operator: `r(32) ‖ s(32) ‖ v(1)`. */
export interface SignedStatement extends SuccessorStatement {
  readonly signature: Hex;
}

/** A statement of a successor is not to be followed; the message names what is wrong. */
export class StatementError extends OperatorError {
  override readonly name = 'StatementError';

  /** @param fault - the field, and what is wrong with it */
  constructor(fault: string) {
    super(`the statement of the successor is refused: ${fault}`);
  }
}

const STATEMENT_TYPE = 'Successor(address successor,uint256 deadline)';
const MAX_BYTES = 4_096;

const statementSchema = z.strictObject({
  version: z.literal(1),
  /** Decimal text. */
  chainId: z.string().regex(/^[1-9][0-9]{0,77}$/),
  contract: addressCodec,
  successor: addressCodec,
  deadline: z
    .int()
    .positive()
    .max(2 ** 40),
  signature: z.string().regex(/^0x[0-9a-f]{130}$/),
});

/**
 * What the operator signs (EIP-712, with the domain of the rollup that holders leave): chain and contract are in the domain,
 * `successor(32) ‖ deadline(32)` are the fields of the struct.
 *
 * @param statement - what it says
 * @returns 32 bytes
 */
function statementDigest({ successor, deadline, ...rollup }: SuccessorStatement): Uint8Array {
  return typedDigest(rollup, STATEMENT_TYPE, [BigInt(successor), BigInt(deadline)]);
}

/**
 * Signs a statement.
 *
 * @param statement - what it says
 * @param sign - signs a digest of 32 bytes as the operator
 * @returns it with its signature
 */
export async function signStatement(
  statement: SuccessorStatement,
  sign: (digest: Uint8Array) => Promise<RecoverableSignature>,
): Promise<SignedStatement> {
  return { ...statement, signature: typedSignature(await sign(statementDigest(statement))) };
}

/** What is in the file of a statement, as an object for JSON. */
export function statementJson({
  chainId,
  contract,
  successor,
  deadline,
  signature,
}: SignedStatement): object {
  return { version: 1, chainId: String(chainId), contract, successor, deadline, signature };
}

/**
 * Reads a statement; who signed it is not checked yet.
 *
 * @param path - of a file from anywhere
 * @returns what it says
 * @throws OperatorError when the file cannot be read; StatementError for what is no statement
 */
export async function readStatement(path: string): Promise<SignedStatement> {
  const text = await readBounded(path, MAX_BYTES).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${path}: cannot be read (${error.code})`);
  });
  if (text === undefined) throw new StatementError(`the file has more than ${MAX_BYTES} bytes`);
  const parsed = statementSchema.safeParse(parseJson(text));
  if (parsed.success) {
    const { chainId, contract, successor, deadline, signature } = parsed.data;
    return { chainId: BigInt(chainId), contract, successor, deadline, signature: signature as Hex };
  }
  const [issue] = parsed.error.issues;
  throw new StatementError(`${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}

/**
 * Checks that the operator which the rollup has now says it, of this rollup, and until later than the latest block.
 *
 * @param rollup - that is left
 * @param statement - from anywhere
 * @returns the successor
 * @throws StatementError; as `RollupContract.values`
 */
export async function checkStatement(
  rollup: Pick<RollupContract, 'address' | 'client' | 'values'>,
  statement: SignedStatement,
): Promise<Address> {
  const { client, address } = rollup;
  const [chainId, { timestamp }, [operator]] = await Promise.all([
    client.chainId(),
    client.head(),
    rollup.values('operator', []),
  ]);
  if (statement.chainId !== chainId)
    throw new StatementError(`chainId: it is of chain ${statement.chainId}, not ${chainId}`);
  if (statement.contract !== address)
    throw new StatementError(`contract: it is of the rollup at ${statement.contract}, not ${address}`);
  if (statement.deadline <= timestamp)
    throw new StatementError(`deadline: it was good until ${dateOf(statement.deadline)}`);
  const signer = signerOf(statement);
  if (signer !== parseAddress(String(operator)))
    throw new StatementError(
      `signature: it is ${signer === undefined ? 'of no account' : `of ${signer}`}, and the operator of the rollup is ${String(operator).toLowerCase()}`,
    );
  return statement.successor;
}

function signerOf(statement: SignedStatement): Address | undefined {
  const signature = parseTypedSignature(bytesFromHex(statement.signature));
  if (signature === undefined) return undefined;
  try {
    return recoverAddress(statementDigest(statement), signature);
  } catch (error) {
    if (error instanceof InvalidSignatureError) return undefined;
    throw error;
  }
}

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
