import type { Pace, Precompile, PrecompileOutput } from '../precompile.js';
import { Curve } from './curve.js';
import type { CurveName } from './mcl-module.js';

type Run = Precompile['run'];

const loading = new Map<CurveName, Promise<Curve>>();

/** The curve, compiled on first use: that takes some 50 ms, and most chains never need most of them. */
function loadCurve(name: CurveName): Promise<Curve> {
  let curve = loading.get(name);
  if (curve === undefined) loading.set(name, (curve = Curve.load(name)));
  return curve;
}

/**
 * A precompile's `run` that works on a curve.
 * @param prepare - allocates the memory it needs on the curve once, and returns the function for one input
 */
export function onCurve(name: CurveName, prepare: (curve: Curve) => Run): Run {
  let ready: Run | undefined;
  const first = async (input: Uint8Array, pace?: Pace): Promise<PrecompileOutput> => {
    const curve = await loadCurve(name);
    pace?.signal?.throwIfAborted();
    ready ??= prepare(curve);
    return ready(input, pace);
  };
  return (input, pace) => (ready === undefined ? first(input.slice(), pace) : ready(input, pace));
}
