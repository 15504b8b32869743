// Points of a curve y² = x³ + b in Jacobian coordinates (x = X / Z², y = Y / Z³): X ‖ Y ‖ Z; an affine point is x ‖ y.
// The functions can add neither infinity nor a point to itself or its negative: the host sees to it. The result may be
// at the place of the first operand.
//
// Source: Explicit-Formulas Database, short Weierstrass curves with a = 0

import { SIZE, add, subtract } from './field';
import { scratch } from './layout';
import { multiply } from './multiply';
import { square } from './square';

const Y: usize = SIZE;
const Z: usize = 2 * SIZE;

/** dbl-2009-l */
export function double(to: usize, point: usize): void {
  const a = scratch(0);
  const b = scratch(1);
  const c = scratch(2);
  const d = scratch(3);
  const e = scratch(4);
  const z = scratch(5);
  square(a, point);
  square(b, point + Y);
  square(c, b);
  add(d, point, b);
  square(d, d);
  subtract(d, d, a);
  subtract(d, d, c);
  add(d, d, d);
  add(e, a, a);
  add(e, e, a);
  multiply(z, point + Y, point + Z);
  add(to + Z, z, z);
  square(to, e);
  subtract(to, to, d);
  subtract(to, to, d);
  subtract(d, d, to);
  multiply(to + Y, e, d);
  add(c, c, c);
  add(c, c, c);
  add(c, c, c);
  subtract(to + Y, to + Y, c);
}

/** madd-2007-bl: the second operand is affine. */
export function addAffine(to: usize, point: usize, affine: usize): void {
  const zz = scratch(0);
  const s = scratch(1);
  const h = scratch(2);
  const hh = scratch(3);
  const i = scratch(4);
  const j = scratch(5);
  const r = scratch(6);
  const v = scratch(7);
  const z = scratch(8);
  square(zz, point + Z);
  multiply(h, affine, zz);
  multiply(s, point + Z, zz);
  multiply(s, affine + Y, s);
  subtract(h, h, point);
  square(hh, h);
  add(i, hh, hh);
  add(i, i, i);
  multiply(j, h, i);
  subtract(r, s, point + Y);
  add(r, r, r);
  multiply(v, point, i);
  add(z, point + Z, h);
  square(z, z);
  subtract(z, z, zz);
  subtract(to + Z, z, hh);
  square(to, r);
  subtract(to, to, j);
  subtract(to, to, v);
  subtract(to, to, v);
  multiply(j, point + Y, j);
  add(j, j, j);
  subtract(v, v, to);
  multiply(to + Y, r, v);
  subtract(to + Y, to + Y, j);
}

/** add-2007-bl */
export function addPoint(to: usize, point: usize, other: usize): void {
  const zz = scratch(0);
  const ww = scratch(1);
  const t = scratch(2);
  const p = scratch(3);
  const s = scratch(4);
  const h = scratch(5);
  const i = scratch(6);
  const j = scratch(7);
  const r = scratch(8);
  const v = scratch(9);
  const z = scratch(10);
  square(zz, point + Z);
  square(ww, other + Z);
  multiply(t, point, ww);
  multiply(h, other, zz);
  multiply(p, other + Z, ww);
  multiply(p, point + Y, p);
  multiply(s, point + Z, zz);
  multiply(s, other + Y, s);
  subtract(h, h, t);
  add(i, h, h);
  square(i, i);
  multiply(j, h, i);
  subtract(r, s, p);
  add(r, r, r);
  multiply(v, t, i);
  add(z, point + Z, other + Z);
  square(z, z);
  subtract(z, z, zz);
  subtract(z, z, ww);
  multiply(to + Z, z, h);
  square(to, r);
  subtract(to, to, j);
  subtract(to, to, v);
  subtract(to, to, v);
  multiply(p, p, j);
  add(p, p, p);
  subtract(v, v, to);
  multiply(to + Y, r, v);
  subtract(to + Y, to + Y, p);
}
