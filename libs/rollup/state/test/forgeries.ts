import { FIELD_MODULUS, modulo, type OperationKind } from '@tetrad/rollup-crypto';
import { placeOf } from './batch-of-each-kind.js';

/** A witness that says something else than was signed, held or is in the state; what follows from it follows. */
export interface Forgery {
  readonly kind: OperationKind;
  readonly name: string;
  /** By the number of the value. */
  readonly changes: ReadonlyMap<number, bigint>;
}

/** The value as it is → another. */
type Change = (value: bigint) => bigint;

const to =
  (other: bigint): Change =>
  () =>
    other;
const plus =
  (more: bigint): Change =>
  (value) =>
    value + more;
const GENERATOR_Y = 17631683881184975370165255887551781615748388533673675138860n;

/** Of the operation that the batch is for, unless the name says another input of the circuit. */
const FORGERIES: Readonly<
  Partial<Record<OperationKind, Readonly<Record<string, Readonly<Record<string, Change>>>>>>
> = {
  createAccount: {
    'a nonce from the start': { nonce: to(5n) },
    'a redemption index from the start': { redemption_index: to(65_536n) },
    'a balance from the start': { balance: to(1_000n) },
    'a balance from the start, among no others': { 'balance_path.0': to(1n) },
    'a key of another holder': { 'public_key.0': to(1n), 'public_key.1': to(GENERATOR_Y) },
    'another joint key': { 'joint_key.0': plus(1n) },
    'the hash of another joint key': { joint_key_hash: plus(1n) },
    'another blinding factor': { account_blinding: plus(1n) },
    'the external account': { account_id: to(0n) },
    'an account that exists': { account_id: to(2n) },
    'a place of which no path is': { 'account_path.3': plus(1n) },
  },
  createMoneyOrder: {
    'more than was signed': { amount: plus(1n) },
    'more than is held': { amount: to(1_001n) },
    'less than nothing': { amount: to(FIELD_MODULUS - 5n) },
    'more than 64 bits': { amount: to(2n ** 64n) },
    'out of a larger balance': { balance: plus(1_000n) },
    'to another receiver': { to_id: plus(1n) },
    'from another sender': { from_id: plus(1n) },
    'from another account': { from_id: to(2n), account_id: to(2n) },
    'of another token': { token_id: plus(1n) },
    'of a token beyond the tree': { token_id: plus(256n) },
    'under another blinding factor': { order_blinding: plus(1n) },
    'with the nonce of the operation before': { nonce: plus(-1n) },
    'with a nonce that leaves one out': { nonce: plus(1n) },
    'with another text': { 'ciphertext.3': plus(1n) },
    'by a key of its own': { 'public_key.0': to(1n), 'public_key.1': to(GENERATOR_Y) },
    'by a point off the curve': { 'public_key.1': plus(1n) },
    'by another signature': { 'signature.s.0': plus(1n) },
    'by a signature of infinity': { 'signature.s.0': to(0n), 'signature.s.1': to(0n) },
    'for another rollup': { domain: plus(1n) },
    'in another account tree': { account_root: plus(1n) },
    'in another history': { history_root: plus(1n) },
    'in the place of another batch': { height: plus(1n) },
    'with a state of its choice': { next_state_root: plus(1n) },
    'with an order of its choice': { 'orders.0': plus(1n) },
    'with other orders': { orders_root: plus(1n) },
    'with the commitment to another text': { ciphertexts: plus(1n) },
    'with another value of the polynomial': { evaluation: plus(1n) },
    'as a transfer out': { kind: to(4n) },
    'as a deposit': { kind: to(5n) },
    'as a consent': { kind: to(6n) },
    'as a credit': { kind: to(7n) },
    'as a kind that there is not': { kind: to(8n) },
    'that may be credited, which was not signed': { direct: to(1n) },
    'as nothing': { kind: to(0n) },
  },
  redeemMoneyOrder: {
    'of more than the order says': { amount: plus(1n) },
    'of another token': { token_id: plus(1n) },
    'for another receiver': { to_id: plus(1n), account_id: plus(1n) },
    'that was redeemed before': { redemption_index: (value) => value + 65_536n * 3n },
    'at another place of the batch': { total_index: plus(1n) },
    'at a place beyond the batch': { total_index: plus(4_096n) },
    'in a later batch': { total_index: plus(65_536n) },
    'whose path is another': { 'order_path.0': plus(1n) },
    'whose batch has another path': { 'batch_path.31': plus(1n) },
    'that another sent': { from_id: plus(1n) },
    'that keeps the redemption index': { redemption_index: plus(-1n) },
    'with the leaf of its choice': { 'leaves.0': plus(1n) },
  },
  outboundTransfer: {
    'of more than was signed': { amount: plus(1n) },
    'of more on the chain than in the rollup': { 'headers.0': plus(1n) },
    'of another token on the chain': { 'headers.0': plus(2n ** 64n) },
    'from another account on the chain': { 'headers.0': plus(2n ** 96n) },
    'as a deposit on the chain': { 'headers.0': plus(2n ** 128n) },
    'of less than nothing': { amount: to(FIELD_MODULUS - 7n) },
    'to another recipient': { to_address: plus(1n) },
    'to another recipient on the chain': { 'addresses.0': plus(1n) },
    'with another nonce': { nonce: plus(1n) },
    'that takes a deposit': { inbound_to: plus(1n) },
    'that makes an order': { 'orders.0': to(1n) },
    'that keeps its leaf': { 'leaves.0': to(0n) },
  },
  inboundTransfer: {
    'of another amount than on the chain': { amount: plus(1n), 'headers.0': plus(0n) },
    'for another account than on the chain': { to_id: plus(1n), 'headers.0': plus(0n) },
    'with another order': { 'orders.0': plus(1n) },
    'of an account': { from_id: to(1n) },
    'that is not taken': { inbound_to: plus(-1n) },
    'that is taken twice': { inbound_to: plus(1n) },
    'that touches an account': { account_id: to(1n) },
  },
  setConsent: {
    'than was signed': { next_consent: plus(1n) },
    'of another account': { from_id: to(1n), account_id: to(1n) },
    'of another account than the one that signs': { from_id: to(1n) },
    'in place of one that there is not': { consent: plus(1n) },
    'with the nonce of the operation before': { nonce: plus(-1n) },
    'with a nonce that leaves one out': { nonce: plus(1n) },
    'with another text': { 'ciphertext.3': plus(1n) },
    'by a key of its own': { 'public_key.0': to(1n), 'public_key.1': to(GENERATOR_Y) },
    'by another signature': { 'signature.s.0': plus(1n) },
    'for another rollup': { domain: plus(1n) },
    'with another balance': { balance: plus(1n) },
    'with another redemption index': { redemption_index: plus(1n) },
    'that makes an order': { 'orders.0': to(1n) },
    'with the leaf of its choice': { 'leaves.0': plus(1n) },
    'as a payment': { kind: to(2n) },
    'as a credit': { kind: to(7n) },
  },
  credit: {
    'of more than was paid': { amount: plus(1n) },
    'of more than was paid and signed': { amount: plus(1n), 'operations.0.amount': plus(1n) },
    'of less than nothing': { amount: to(FIELD_MODULUS - 5n) },
    'of another payer': { from_id: plus(1n) },
    'to another receiver': { to_id: plus(-1n), account_id: plus(-1n) },
    'to another account than the receiver': { account_id: plus(-1n) },
    'of another token': { token_id: plus(1n) },
    'under another blinding factor': { order_blinding: plus(1n) },
    'by a consent to other amounts': { minimum: plus(-1n) },
    'by a consent that asks for more': { minimum: plus(1n) },
    'by a consent that ends later': { until_height: plus(1n) },
    'after the consent': { height: plus(1n), 'signature.r.1': plus(65_536n) },
    'by another secret': { consent_secret: plus(1n), 'signature.r.0': plus(1n) },
    'without a consent': { consent: to(0n) },
    'by a consent of its own': { consent: plus(1n) },
    'with another word': { 'ciphertext.0': plus(1n) },
    'with the word of another leaf': { 'signature.r.0': plus(1n) },
    'with the word of another place': { 'signature.r.1': plus(1n) },
    'with another nonce': { nonce: plus(1n) },
    'that redeems': { redemption_index: plus(65_536n) },
    'on top of a larger balance': { balance: plus(1_000n) },
    'by a key of its own': { 'public_key.0': to(1n), 'public_key.1': to(GENERATOR_Y) },
    'that changes the consent': { next_consent: plus(1n), kind: to(6n) },
    'of an order that stays': { 'orders.0': to(1n) },
    'that makes an order': { 'orders.1': to(1n) },
    'that its payer does not let be': { 'operations.0.direct': to(0n) },
    'of a transfer out': { 'operations.0.kind': to(4n) },
    'of a credit': { 'operations.0.kind': to(7n) },
    'of nothing': { 'operations.0.kind': to(0n) },
    'with the leaf of its choice': { 'leaves.1': plus(1n) },
    'of another account on the chain': { 'headers.1': plus(2n ** 96n) },
    'as a redemption': { kind: to(3n) },
    'as nothing': { kind: to(0n) },
    'for another rollup': { domain: plus(1n) },
  },
  noOp: {
    'that changes the state': { next_state_root: plus(1n) },
    'that makes an order': { 'orders.0': to(1n) },
    'that is a transfer out': { 'headers.0': to(4n << 128n) },
    'that takes a deposit': { inbound_to: plus(1n) },
    'that touches an account': { account_id: to(1n) },
    'that has a leaf': { 'leaves.0': to(5n) },
  },
};

/**
 * What a prover without scruples would like to prove of a batch.
 * @param kind - of its operation
 * @param names - of the inputs of the circuit
 * @param values - of the honest witness
 */
export function forgeriesOf(
  kind: OperationKind,
  names: ReadonlyMap<string, number>,
  values: readonly bigint[],
): Forgery[] {
  return Object.entries(FORGERIES[kind] ?? {}).map(([name, inputs]) => {
    const changes = Object.entries(inputs).map(([input, change]) => {
      const number = names.get(input) ?? names.get(`operations.${placeOf(kind)}.${input}`);
      if (number === undefined) throw new TypeError(`the circuit has no input ${input}`);
      return [number, modulo(change(values[number] as bigint), FIELD_MODULUS)] as const;
    });
    return { kind, name: `${kind} ${name}`, changes: new Map(changes) };
  });
}
