// The scalar field of BN254, p. A number is nine limbs of 29 bits in Montgomery form (R = 2^261), little-endian:
//
//     limb(4) · 9 ‖ unused(4)
//
// Numbers are below 3p, not below p: R leaves enough room that nothing overflows, and only the host, when it reads one,
// reduces it. The result may be at the place of an operand.

export const SIZE: usize = 40;
export const MASK: u64 = 0x1fffffff;

/** p */
export const P0: u64 = 0x10000001;
export const P1: u64 = 0x1f0fac9f;
export const P2: u64 = 0x0e5c2450;
export const P3: u64 = 0x07d090f3;
export const P4: u64 = 0x1585d283;
export const P5: u64 = 0x02db40c0;
export const P6: u64 = 0x00a6e141;
export const P7: u64 = 0x0e5c2634;
export const P8: u64 = 0x0030644e;
/** −p⁻¹ mod 2^29 */
export const INVERSE: u64 = 0x0fffffff;
/** 4p, which makes the difference of two numbers below 3p positive. */
const F0: u64 = 0x00000004;
const F1: u64 = 0x1c3eb27e;
const F2: u64 = 0x19709143;
const F3: u64 = 0x1f4243cd;
const F4: u64 = 0x16174a0c;
const F5: u64 = 0x0b6d0302;
const F6: u64 = 0x029b8504;
const F7: u64 = 0x197098d0;
const F8: u64 = 0x00c19139;
/** 2^40 / (P8 + 1): by it the last limb of a sum gives the multiple of p to subtract. */
const QUOTIENT: u64 = 0x54a47;

/** to = left + right */
export function add(to: usize, left: usize, right: usize): void {
  let c0 = <u64>load<u32>(left, 0) + <u64>load<u32>(right, 0);
  let c1 = <u64>load<u32>(left, 4) + <u64>load<u32>(right, 4);
  let c2 = <u64>load<u32>(left, 8) + <u64>load<u32>(right, 8);
  let c3 = <u64>load<u32>(left, 12) + <u64>load<u32>(right, 12);
  let c4 = <u64>load<u32>(left, 16) + <u64>load<u32>(right, 16);
  let c5 = <u64>load<u32>(left, 20) + <u64>load<u32>(right, 20);
  let c6 = <u64>load<u32>(left, 24) + <u64>load<u32>(right, 24);
  let c7 = <u64>load<u32>(left, 28) + <u64>load<u32>(right, 28);
  let c8 = <u64>load<u32>(left, 32) + <u64>load<u32>(right, 32);
  const quotient = (c8 * QUOTIENT) >> 40;
  c0 -= quotient * P0;
  c1 -= quotient * P1;
  c2 -= quotient * P2;
  c3 -= quotient * P3;
  c4 -= quotient * P4;
  c5 -= quotient * P5;
  c6 -= quotient * P6;
  c7 -= quotient * P7;
  c8 -= quotient * P8;
  store<u32>(to, c0 & MASK, 0);
  c1 += carry(c0);
  store<u32>(to, c1 & MASK, 4);
  c2 += carry(c1);
  store<u32>(to, c2 & MASK, 8);
  c3 += carry(c2);
  store<u32>(to, c3 & MASK, 12);
  c4 += carry(c3);
  store<u32>(to, c4 & MASK, 16);
  c5 += carry(c4);
  store<u32>(to, c5 & MASK, 20);
  c6 += carry(c5);
  store<u32>(to, c6 & MASK, 24);
  c7 += carry(c6);
  store<u32>(to, c7 & MASK, 28);
  c8 += carry(c7);
  store<u32>(to, c8, 32);
}

/** to = left − right */
export function subtract(to: usize, left: usize, right: usize): void {
  let c0 = <u64>load<u32>(left, 0) - <u64>load<u32>(right, 0) + F0;
  let c1 = <u64>load<u32>(left, 4) - <u64>load<u32>(right, 4) + F1;
  let c2 = <u64>load<u32>(left, 8) - <u64>load<u32>(right, 8) + F2;
  let c3 = <u64>load<u32>(left, 12) - <u64>load<u32>(right, 12) + F3;
  let c4 = <u64>load<u32>(left, 16) - <u64>load<u32>(right, 16) + F4;
  let c5 = <u64>load<u32>(left, 20) - <u64>load<u32>(right, 20) + F5;
  let c6 = <u64>load<u32>(left, 24) - <u64>load<u32>(right, 24) + F6;
  let c7 = <u64>load<u32>(left, 28) - <u64>load<u32>(right, 28) + F7;
  let c8 = <u64>load<u32>(left, 32) - <u64>load<u32>(right, 32) + F8;
  // Two less, for what the limbs below may borrow: a quotient that is too large would leave a negative number.
  const quotient = ((c8 - 2) * QUOTIENT) >> 40;
  c0 -= quotient * P0;
  c1 -= quotient * P1;
  c2 -= quotient * P2;
  c3 -= quotient * P3;
  c4 -= quotient * P4;
  c5 -= quotient * P5;
  c6 -= quotient * P6;
  c7 -= quotient * P7;
  c8 -= quotient * P8;
  store<u32>(to, c0 & MASK, 0);
  c1 += carry(c0);
  store<u32>(to, c1 & MASK, 4);
  c2 += carry(c1);
  store<u32>(to, c2 & MASK, 8);
  c3 += carry(c2);
  store<u32>(to, c3 & MASK, 12);
  c4 += carry(c3);
  store<u32>(to, c4 & MASK, 16);
  c5 += carry(c4);
  store<u32>(to, c5 & MASK, 20);
  c6 += carry(c5);
  store<u32>(to, c6 & MASK, 24);
  c7 += carry(c6);
  store<u32>(to, c7 & MASK, 28);
  c8 += carry(c7);
  store<u32>(to, c8, 32);
}

/** What a column has above 29 bits, with its sign. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function carry(column: u64): u64 {
  return <u64>(<i64>column >> 29);
}
