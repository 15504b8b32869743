// AssemblyScript: powers modulo an odd number (Montgomery) or a power of 2^32, on numbers of 32-bit limbs.

/** Exponent bytes of one call, big-endian. */
const EXPONENT: usize = 1024;
/** Everything below is `size` limbs, little-endian, one after the other. */
const MODULUS: usize = 4096;

let size: usize = 0;
/** Bytes of a number. */
let width: usize = 0;
/** −modulus⁻¹ mod 2^32, or 0 when the modulus is 2^(32 · size). */
let inverse: u32 = 0;
let power: usize = 0;
let product: usize = 0;
let table: usize = 0;
let isStarted: bool = false;

/** Address of the modulus before the computation, and of the result after it. */
export function modulusAt(): usize {
  return MODULUS;
}

export function exponentAt(): usize {
  return EXPONENT;
}

/** Address of the base, in Montgomery form if the modulus is odd. */
export function baseAt(): usize {
  return table + width;
}

/** Lays out memory for numbers of `limbs` limbs, at least two. */
export function layOut(limbs: u32): void {
  size = limbs;
  width = limbs << 2;
  power = MODULUS + width;
  // One limb more than a number, for the carry.
  product = power + width;
  table = product + width + 8;
}

/** Begins with the modulus and the base in place. */
export function begin(isOdd: bool): void {
  inverse = 0;
  if (isOdd) {
    const low = load<u32>(MODULUS);
    let found: u32 = low;
    for (let bits = 3; bits < 32; bits *= 2) found *= 2 - low * found;
    inverse = 0 - found;
  }
  isStarted = false;
  for (let index: usize = 2; index < 16; index++) {
    multiply(table + index * width, table + (index - 1) * width, table + width);
  }
}

/** Takes up the next bytes of the exponent. */
export function raise(bytes: u32): void {
  if (size === 2) {
    raiseWord(bytes);
    return;
  }
  for (let at: usize = EXPONENT; at < EXPONENT + bytes; at++) {
    const byte = <u32>load<u8>(at);
    takeDigit(byte >> 4);
    takeDigit(byte & 15);
  }
}

/** As `raise` for numbers of two limbs, which stay in registers as words of 64 bits. */
function raiseWord(bytes: u32): void {
  const modulus = load<u64>(MODULUS);
  const factor = wordInverse(modulus);
  let value = load<u64>(power);
  const digits: u32 = 2 * bytes;
  for (let index: u32 = 0; index < digits; index++) {
    const digit = (<u32>load<u8>(EXPONENT + (index >> 1)) >> (4 * ((index & 1) ^ 1))) & 15;
    if (isStarted) {
      value = multiplyWord(value, value, modulus, factor);
      value = multiplyWord(value, value, modulus, factor);
      value = multiplyWord(value, value, modulus, factor);
      value = multiplyWord(value, value, modulus, factor);
      if (digit !== 0) value = multiplyWord(value, load<u64>(table + 8 * digit), modulus, factor);
    } else if (digit !== 0) {
      value = load<u64>(table + 8 * digit);
      isStarted = true;
    }
  }
  store<u64>(power, value);
}

/** modulus⁻¹ mod 2^64 of an odd modulus, 0 for a power of two. */
function wordInverse(modulus: u64): u64 {
  if (inverse === 0) return 0;
  const low: u64 = 0 - <u64>inverse;
  return low * (2 - modulus * low);
}

/** left · right · 2^−64 mod modulus, or left · right mod 2^64 without an inverse. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function multiplyWord(left: u64, right: u64, modulus: u64, factor: u64): u64 {
  const low = left * right;
  if (factor === 0) return low;
  const high = highWord(left, right);
  const reduction = highWord(low * factor, modulus);
  return high - reduction + (high < reduction ? modulus : 0);
}

/** The upper 64 bits of a product. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function highWord(left: u64, right: u64): u64 {
  const leftLow = left & 0xffffffff;
  const leftHigh = left >> 32;
  const rightLow = right & 0xffffffff;
  const rightHigh = right >> 32;
  const middle = leftHigh * rightLow + ((leftLow * rightLow) >> 32);
  const other = leftLow * rightHigh + (middle & 0xffffffff);
  return leftHigh * rightHigh + (middle >> 32) + (other >> 32);
}

/** The address of the power, out of Montgomery form. The exponent must not have been zero. */
export function finish(): usize {
  if (inverse !== 0) {
    // Multiplied by one, which is not in Montgomery form.
    memory.fill(table, 0, width);
    store<u32>(table, 1);
    multiply(power, power, table);
  }
  return power;
}

function takeDigit(digit: u32): void {
  const factor = table + <usize>digit * width;
  if (isStarted) {
    multiply(power, power, power);
    multiply(power, power, power);
    multiply(power, power, power);
    multiply(power, power, power);
    if (digit !== 0) multiply(power, power, factor);
  } else if (digit !== 0) {
    memory.copy(power, factor, width);
    isStarted = true;
  }
}

/** result = left · right, reduced; result may be an operand. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function multiply(result: usize, left: usize, right: usize): void {
  if (inverse !== 0) multiplyMontgomery(result, left, right);
  else multiplyLow(result, left, right);
}

/** left · right · 2^(−32 · size) mod modulus, limb by limb of right with the reduction in the same pass. */
function multiplyMontgomery(result: usize, left: usize, right: usize): void {
  const modulus = MODULUS;
  const sum = product;
  const end = width;
  memory.fill(sum, 0, width + 4);
  for (let i: usize = 0; i < end; i += 4) {
    const digit = <u64>load<u32>(right + i);
    let added = <u64>load<u32>(sum) + <u64>load<u32>(left) * digit;
    const quotient = <u64>(<u32>added * inverse);
    let reduced = (added & 0xffffffff) + <u64>load<u32>(modulus) * quotient;
    added >>= 32;
    reduced >>= 32;
    for (let j: usize = 4; j < end; j += 4) {
      added += <u64>load<u32>(sum + j) + <u64>load<u32>(left + j) * digit;
      reduced += (added & 0xffffffff) + <u64>load<u32>(modulus + j) * quotient;
      store<u32>(sum + j - 4, <u32>reduced);
      added >>= 32;
      reduced >>= 32;
    }
    const top = <u64>load<u32>(sum + end) + added + reduced;
    store<u32>(sum + end - 4, <u32>top);
    store<u32>(sum + end, <u32>(top >> 32));
  }
  subtractOnce(result, sum);
}

/** The sum, which is below twice the modulus, less the modulus if it is not below it. */
function subtractOnce(result: usize, sum: usize): void {
  const modulus = MODULUS;
  const end = width;
  let borrow: u64 = 0;
  for (let j: usize = 0; j < end; j += 4) {
    const difference = <u64>load<u32>(sum + j) - <u64>load<u32>(modulus + j) - borrow;
    store<u32>(result + j, <u32>difference);
    borrow = (difference >> 32) & 1;
  }
  if (<u64>load<u32>(sum + end) < borrow) memory.copy(result, sum, end);
}

/** left · right mod 2^(32 · size). */
function multiplyLow(result: usize, left: usize, right: usize): void {
  const sum = product;
  const end = width;
  memory.fill(sum, 0, end);
  for (let i: usize = 0; i < end; i += 4) {
    const digit = <u64>load<u32>(right + i);
    let carry: u64 = 0;
    for (let j: usize = 0; i + j < end; j += 4) {
      carry += <u64>load<u32>(sum + i + j) + <u64>load<u32>(left + j) * digit;
      store<u32>(sum + i + j, <u32>carry);
      carry >>= 32;
    }
  }
  memory.copy(result, sum, end);
}
