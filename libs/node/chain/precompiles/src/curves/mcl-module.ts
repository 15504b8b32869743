import createModule from 'mcl-wasm/dist/mcl_c.js';

/**
 * The functions of mcl's C interface that are used here, on addresses in the module's memory.
 * Source: mcl, include/mcl/bn.h. The package's own classes keep one module for all, copy each operand in and out, and
 * read numbers as text.
 */
export interface MclModule {
  readonly wasmMemory: { readonly buffer: ArrayBuffer };
  _malloc(size: number): number;
  _free(at: number): void;
  _mclBn_init(curve: number, compiledFor: number): number;
  _mclBn_verifyOrderG1(isChecked: number): void;
  _mclBn_verifyOrderG2(isChecked: number): void;
  _mclBn_setMapToMode(mode: number): number;
  _mclBn_setETHserialization(isEthereum: number): void;
  /** Bytes read, little-endian; 0 when they are not below the modulus. */
  _mclBnFp_deserialize(field: number, at: number, size: number): number;
  _mclBnFr_deserialize(scalar: number, at: number, size: number): number;
  _mclBnFp_serialize(at: number, size: number, field: number): number;
  _mclBnFr_serialize(at: number, size: number, scalar: number): number;
  _mclBnFr_setLittleEndianMod(scalar: number, at: number, size: number): number;
  _mclBnFp_setInt32(field: number, value: number): void;
  _mclBnFp_neg(result: number, field: number): void;
  _mclBnFp2_mul(result: number, left: number, right: number): void;
  _mclBnFp_isZero(field: number): number;
  _mclBnFp_mapToG1(point: number, field: number): number;
  _mclBnFp2_mapToG2(point: number, field: number): number;
  _mclBnFr_isZero(scalar: number): number;
  _mclBnFr_isEqual(left: number, right: number): number;
  _mclBnFr_inv(result: number, scalar: number): void;
  _mclBnFr_mul(result: number, left: number, right: number): void;
  _mclBnFr_neg(result: number, scalar: number): void;
  _mclBnG1_clear(point: number): void;
  _mclBnG1_isZero(point: number): number;
  _mclBnG1_isValid(point: number): number;
  _mclBnG1_neg(result: number, point: number): void;
  _mclBnG1_normalize(result: number, point: number): void;
  _mclBnG1_add(result: number, left: number, right: number): void;
  _mclBnG1_mul(result: number, point: number, scalar: number): void;
  _mclBnG1_mulVec(result: number, points: number, scalars: number, count: number): void;
  _mclBnG2_clear(point: number): void;
  _mclBnG2_isZero(point: number): number;
  _mclBnG2_isEqual(left: number, right: number): number;
  _mclBnG2_isValid(point: number): number;
  _mclBnG2_deserialize(point: number, at: number, size: number): number;
  _mclBnG2_neg(result: number, point: number): void;
  _mclBnG2_normalize(result: number, point: number): void;
  _mclBnG2_dbl(result: number, point: number): void;
  _mclBnG2_sub(result: number, left: number, right: number): void;
  _mclBnG2_add(result: number, left: number, right: number): void;
  _mclBnG2_mul(result: number, point: number, scalar: number): void;
  _mclBnG2_mulVec(result: number, points: number, scalars: number, count: number): void;
  _mclBnGT_setInt32(result: number, value: number): void;
  _mclBnGT_mul(result: number, left: number, right: number): void;
  _mclBnGT_isOne(value: number): number;
  /** The product of the Miller loops of pairs, whose squarings are done once for all; none may be infinity. */
  _mclBn_millerLoopVec(result: number, g1s: number, g2s: number, count: number): void;
  _mclBn_finalExp(result: number, value: number): void;
}

/** mcl's numbers of the curves. Source: mcl, include/mcl/curve_type.h. */
const CURVE_ID = { bn254: 4, bls12381: 5, p256: 107 } as const;

export type CurveName = keyof typeof CURVE_ID;

/** Parameters of the compiled module: scalars of 4 words, fields of 6. Source: mcl, MCLBN_COMPILED_TIME_VAR. */
const COMPILED_FOR = 46;

/** The suite of RFC 9380 for maps to the curve. Source: mcl, MCL_MAP_TO_MODE_HASH_TO_CURVE_07. */
const MAP_BY_RFC_9380 = 5;

/** A separate module for the curve: mcl computes on one curve at a time. */
export async function loadMclModule(curve: CurveName): Promise<MclModule> {
  const module = (await createModule({ cryptoGetRandomValues: noRandomness })) as MclModule;
  const result = module._mclBn_init(CURVE_ID[curve], COMPILED_FOR);
  if (result !== 0) throw new Error(`mcl does not compute on ${curve} (${result})`);
  // The precompiles check themselves which points have to be in the subgroup.
  module._mclBn_verifyOrderG1(0);
  module._mclBn_verifyOrderG2(0);
  if (curve === 'bls12381') module._mclBn_setMapToMode(MAP_BY_RFC_9380);
  return module;
}

/** Nothing here signs: outputs are functions of the inputs. */
function noRandomness(): never {
  throw new Error('a precompile asked for randomness');
}
