/** What the host knows of the module's memory: assembly/field-engine/field.ts and layout.ts */

/** Bytes of an element of the field: nine limbs of 29 bits in Montgomery form, each in a 32-bit word, and four unused. */
export const ELEMENT_BYTES = 40;
export const MONTGOMERY_RADIX = 1n << (29n * 9n);

/** A point is X, Y, Z in Jacobian coordinates (x = X / Z², y = Y / Z³), an affine one x, y. */
export const POINT_BYTES = 3 * ELEMENT_BYTES;
export const AFFINE_BYTES = 2 * ELEMENT_BYTES;

/** Four 64-bit words through which integers go in and out. */
export const WORDS = 0;
/** The four elements that a permutation works on. */
export const STATE = 64;
export const DIAGONAL = 256;
export const ROUND_CONSTANTS = 1_280;
/** The first address that the module leaves to the host. */
export const FREE = 8_192;
