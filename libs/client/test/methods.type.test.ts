import type { nodeMethods, nodeStandardMethods, restrictedMethods } from '@tetrad/api-node';
import type { signerMethods } from '@tetrad/api-signer';
import type { coinMethods } from '@tetrad/api-wallet';
import type { MethodDefinition, ParameterDefinition } from '@tetrad/rpc';
import type { z } from 'zod';
import type { NodeMethods, SignerMethods, WalletMethods } from '../src/wire/methods.js';

/**
 * Checked by the type check alone: what the client sends is what the services take, and what they answer is what the client
 * reads. A method that changes in libs/api fails here until the client's types are generated anew, and the client then fails
 * where it uses what is gone.
 */

type Defined = typeof nodeMethods & typeof nodeStandardMethods & typeof restrictedMethods;
type DefinedAtSigner = typeof signerMethods;

/** Texts of any form where the client's types say that they begin with 0x; without readonly, which JSON does not know. */
type Plain<Value> = Value extends string
  ? string extends Value
    ? string
    : Value extends `0x${string}`
      ? `0x${string}` extends Value
        ? string
        : Value
      : Value
  : Value extends readonly (infer Element)[]
    ? number extends Value['length']
      ? Plain<Element>[]
      : { -readonly [Index in keyof Value]: Plain<Value[Index]> }
    : Value extends object
      ? { -readonly [Key in keyof Value]: Plain<Value[Key]> }
      : Value;

/** Every member of the first type is also one of the second. */
type Fits<Given, Wanted> = [Given] extends [Wanted] ? true : { given: Given; wanted: Wanted };

/** The JSON of the parameters that a service takes. */
type Taken<Params extends readonly ParameterDefinition[]> = {
  -readonly [Index in keyof Params]: Params[Index] extends ParameterDefinition<infer Schema, infer Optional>
    ? Optional extends true
      ? z.input<Schema> | null | undefined
      : z.input<Schema>
    : never;
};

type ParametersFit<Definition extends MethodDefinition, Parameters extends readonly unknown[]> = Fits<
  Plain<Required<Parameters>>,
  Plain<[...Taken<Definition['params']>]>
>;

type Checked<
  Methods extends { [Name in keyof Methods]: { Parameters: readonly unknown[]; ReturnType: unknown } },
  Table,
> = {
  [Name in keyof Methods]: Name extends keyof Table
    ? Table[Name] extends MethodDefinition
      ? {
          parameters: ParametersFit<Table[Name], Methods[Name]['Parameters']>;
          result: Fits<Plain<z.input<Table[Name]['result']>>, Plain<Methods[Name]['ReturnType']>>;
        }
      : 'not a definition'
    : 'not a method';
};

type Right<Methods> = { [Name in keyof Methods]: { parameters: true; result: true } };

declare const ofNode: Checked<NodeMethods, Defined>;
export const rightOfNode: Right<NodeMethods> = ofNode;

declare const ofSigner: Checked<SignerMethods, DefinedAtSigner>;
export const rightOfSigner: Right<SignerMethods> = ofSigner;

declare const ofWallet: Checked<WalletMethods, typeof coinMethods>;
export const rightOfWallet: Right<WalletMethods> = ofWallet;

/** The comparison itself: a result that lost a member, and a parameter of another type, do not fit. */
declare const lost: Fits<{ a: string }, { a: string; b: number }>;
// @ts-expect-error a member is missing
export const lostIsRight: true = lost;
declare const other: ParametersFit<Defined['eth_getPrivateTransactionByHash'], [hash: number]>;
// @ts-expect-error a number is sent where a text is taken
export const otherIsRight: true = other;
