// Products of two field elements at a time: Montgomery's, by rows of 14 limbs of 28 bits, in two lanes of 64 bits.
//
// A column gathers at most 14 · (2 + 1) products of 56 bits with sign, so that nothing is carried before the end of a
// row. Rows are written out: a loop over columns takes twice as long.

import { MODULUS, SIZE, carryOf, high, joined, last, low, quotient, timesU } from './limbs';

/** The product in the quadratic extension: (a₀ b₀ − a₁ b₁, a₀ b₁ + a₁ b₀) / 2^392. */
export function multiply(to: usize, a: usize, b: usize): void {
  const b0 = v128.load(b, 0);
  const b1 = v128.load(b, 16);
  const b2 = v128.load(b, 32);
  const b3 = v128.load(b, 48);
  const b4 = v128.load(b, 64);
  const b5 = v128.load(b, 80);
  const b6 = v128.load(b, 96);
  const c0 = timesU(b0);
  const c1 = timesU(b1);
  const c2 = timesU(b2);
  const c3 = timesU(b3);
  const c4 = timesU(b4);
  const c5 = timesU(b5);
  const c6 = timesU(b6);
  const n0 = v128.load(MODULUS, 0);
  const n1 = v128.load(MODULUS, 16);
  const n2 = v128.load(MODULUS, 32);
  const n3 = v128.load(MODULUS, 48);
  const n4 = v128.load(MODULUS, 64);
  const n5 = v128.load(MODULUS, 80);
  const n6 = v128.load(MODULUS, 96);
  let t0 = i64x2.splat(0);
  let t1 = i64x2.splat(0);
  let t2 = i64x2.splat(0);
  let t3 = i64x2.splat(0);
  let t4 = i64x2.splat(0);
  let t5 = i64x2.splat(0);
  let t6 = i64x2.splat(0);
  let t7 = i64x2.splat(0);
  let t8 = i64x2.splat(0);
  let t9 = i64x2.splat(0);
  let t10 = i64x2.splat(0);
  let t11 = i64x2.splat(0);
  let t12 = i64x2.splat(0);
  for (const end = a + SIZE; a < end; a += 8) {
    const s = v128.load_splat<u32>(a);
    const t = v128.load_splat<u32>(a, 4);
    t0 = i64x2.add(t0, i64x2.add(low(s, b0), low(t, c0)));
    const q = quotient(t0);
    const carry = carryOf(i64x2.add(t0, low(q, n0)));
    t0 = i64x2.add(i64x2.add(t1, i64x2.add(i64x2.add(high(s, b0), high(t, c0)), high(q, n0))), carry);
    t1 = i64x2.add(t2, i64x2.add(i64x2.add(low(s, b1), low(t, c1)), low(q, n1)));
    t2 = i64x2.add(t3, i64x2.add(i64x2.add(high(s, b1), high(t, c1)), high(q, n1)));
    t3 = i64x2.add(t4, i64x2.add(i64x2.add(low(s, b2), low(t, c2)), low(q, n2)));
    t4 = i64x2.add(t5, i64x2.add(i64x2.add(high(s, b2), high(t, c2)), high(q, n2)));
    t5 = i64x2.add(t6, i64x2.add(i64x2.add(low(s, b3), low(t, c3)), low(q, n3)));
    t6 = i64x2.add(t7, i64x2.add(i64x2.add(high(s, b3), high(t, c3)), high(q, n3)));
    t7 = i64x2.add(t8, i64x2.add(i64x2.add(low(s, b4), low(t, c4)), low(q, n4)));
    t8 = i64x2.add(t9, i64x2.add(i64x2.add(high(s, b4), high(t, c4)), high(q, n4)));
    t9 = i64x2.add(t10, i64x2.add(i64x2.add(low(s, b5), low(t, c5)), low(q, n5)));
    t10 = i64x2.add(t11, i64x2.add(i64x2.add(high(s, b5), high(t, c5)), high(q, n5)));
    t11 = i64x2.add(t12, i64x2.add(i64x2.add(low(s, b6), low(t, c6)), low(q, n6)));
    t12 = i64x2.add(i64x2.add(high(s, b6), high(t, c6)), high(q, n6));
  }
  t1 = i64x2.add(t1, carryOf(t0));
  t2 = i64x2.add(t2, carryOf(t1));
  t3 = i64x2.add(t3, carryOf(t2));
  t4 = i64x2.add(t4, carryOf(t3));
  t5 = i64x2.add(t5, carryOf(t4));
  t6 = i64x2.add(t6, carryOf(t5));
  t7 = i64x2.add(t7, carryOf(t6));
  t8 = i64x2.add(t8, carryOf(t7));
  t9 = i64x2.add(t9, carryOf(t8));
  t10 = i64x2.add(t10, carryOf(t9));
  t11 = i64x2.add(t11, carryOf(t10));
  t12 = i64x2.add(t12, carryOf(t11));
  v128.store(to, joined(t0, t1), 0);
  v128.store(to, joined(t2, t3), 16);
  v128.store(to, joined(t4, t5), 32);
  v128.store(to, joined(t6, t7), 48);
  v128.store(to, joined(t8, t9), 64);
  v128.store(to, joined(t10, t11), 80);
  v128.store(to, last(t12), 96);
}

/** The products of each half: (a₀ b₀, a₁ b₁) / 2^392. */
export function multiplyHalves(to: usize, a: usize, b: usize): void {
  const b0 = v128.load(b, 0);
  const b1 = v128.load(b, 16);
  const b2 = v128.load(b, 32);
  const b3 = v128.load(b, 48);
  const b4 = v128.load(b, 64);
  const b5 = v128.load(b, 80);
  const b6 = v128.load(b, 96);
  const n0 = v128.load(MODULUS, 0);
  const n1 = v128.load(MODULUS, 16);
  const n2 = v128.load(MODULUS, 32);
  const n3 = v128.load(MODULUS, 48);
  const n4 = v128.load(MODULUS, 64);
  const n5 = v128.load(MODULUS, 80);
  const n6 = v128.load(MODULUS, 96);
  let t0 = i64x2.splat(0);
  let t1 = i64x2.splat(0);
  let t2 = i64x2.splat(0);
  let t3 = i64x2.splat(0);
  let t4 = i64x2.splat(0);
  let t5 = i64x2.splat(0);
  let t6 = i64x2.splat(0);
  let t7 = i64x2.splat(0);
  let t8 = i64x2.splat(0);
  let t9 = i64x2.splat(0);
  let t10 = i64x2.splat(0);
  let t11 = i64x2.splat(0);
  let t12 = i64x2.splat(0);
  for (const end = a + SIZE; a < end; a += 8) {
    const s = v128.load_splat<u64>(a);
    t0 = i64x2.add(t0, low(s, b0));
    const q = quotient(t0);
    const carry = carryOf(i64x2.add(t0, low(q, n0)));
    t0 = i64x2.add(i64x2.add(t1, i64x2.add(high(s, b0), high(q, n0))), carry);
    t1 = i64x2.add(t2, i64x2.add(low(s, b1), low(q, n1)));
    t2 = i64x2.add(t3, i64x2.add(high(s, b1), high(q, n1)));
    t3 = i64x2.add(t4, i64x2.add(low(s, b2), low(q, n2)));
    t4 = i64x2.add(t5, i64x2.add(high(s, b2), high(q, n2)));
    t5 = i64x2.add(t6, i64x2.add(low(s, b3), low(q, n3)));
    t6 = i64x2.add(t7, i64x2.add(high(s, b3), high(q, n3)));
    t7 = i64x2.add(t8, i64x2.add(low(s, b4), low(q, n4)));
    t8 = i64x2.add(t9, i64x2.add(high(s, b4), high(q, n4)));
    t9 = i64x2.add(t10, i64x2.add(low(s, b5), low(q, n5)));
    t10 = i64x2.add(t11, i64x2.add(high(s, b5), high(q, n5)));
    t11 = i64x2.add(t12, i64x2.add(low(s, b6), low(q, n6)));
    t12 = i64x2.add(high(s, b6), high(q, n6));
  }
  t1 = i64x2.add(t1, carryOf(t0));
  t2 = i64x2.add(t2, carryOf(t1));
  t3 = i64x2.add(t3, carryOf(t2));
  t4 = i64x2.add(t4, carryOf(t3));
  t5 = i64x2.add(t5, carryOf(t4));
  t6 = i64x2.add(t6, carryOf(t5));
  t7 = i64x2.add(t7, carryOf(t6));
  t8 = i64x2.add(t8, carryOf(t7));
  t9 = i64x2.add(t9, carryOf(t8));
  t10 = i64x2.add(t10, carryOf(t9));
  t11 = i64x2.add(t11, carryOf(t10));
  t12 = i64x2.add(t12, carryOf(t11));
  v128.store(to, joined(t0, t1), 0);
  v128.store(to, joined(t2, t3), 16);
  v128.store(to, joined(t4, t5), 32);
  v128.store(to, joined(t6, t7), 48);
  v128.store(to, joined(t8, t9), 64);
  v128.store(to, joined(t10, t11), 80);
  v128.store(to, last(t12), 96);
}
