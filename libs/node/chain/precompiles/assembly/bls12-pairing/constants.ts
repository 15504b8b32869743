// Where the host has written what does not change; numbers of the field are in Montgomery's form. The first are in limbs.ts.

/** 2^392 in both halves, and in the first alone; 2^784 in both: one, and what brings a number into Montgomery's form. */
export const ONES: usize = 0x100;
export const ONE: usize = 0x180;
export const SQUARE: usize = 0x200;
/** p − 2, little-endian (48). */
export const EXPONENT: usize = 0x280;
/** The powers 0 to 5 of ξ^((p − 1) / 6). */
export const FACTORS: usize = 0x300;
/** The third root of one, in both halves, with which (β x, y) is −x² times the point (x, y) of the subgroup of G1. */
export const BETA: usize = 0x600;
/** What the conjugates of x and y are multiplied by in ψ: ξ^((1 − p) / 3) and ξ^((1 − p) / 2). */
export const PSI_X: usize = 0x680;
export const PSI_Y: usize = 0x700;
/** The four of y² = x³ + 4, in both halves, and one that is not in Montgomery's form: its products leave that form. */
export const FOURS: usize = 0x780;
export const PLAIN_ONES: usize = 0x800;
/** (p + 1) / 4, little-endian (48): this power of a square is a root of it. */
export const ROOT_EXPONENT: usize = 0x880;

/** Coordinates of 64 bytes, of which the parts of one of G2 are two. */
export const INPUT: usize = 0x7000;
/** What a check or a search of points has found. */
export const RESULTS: usize = 0x21000;
