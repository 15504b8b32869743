import { ELEMENT_BYTES, type FieldFunctions } from './field-functions.js';
import type { FunctionBody, ModuleWriter, Place } from './module-writer.js';

/**
 * Points of a curve y² = x³ + b in WebAssembly. In memory a point is X, Y, Z in Jacobian coordinates (x = X / Z²,
 * y = Y / Z³), an affine one x, y. None of the functions can do infinity or sums of a point with itself or its
 * negative: the callers see to it.
 */
export const POINT_BYTES = 3 * ELEMENT_BYTES;
export const AFFINE_BYTES = 2 * ELEMENT_BYTES;

export function addCurveFunctions(module: ModuleWriter, field: FieldFunctions, scratch: number): void {
  module.add('double', 2, (body) => writeDouble(formula(body, field, scratch)));
  module.add('addAffine', 3, (body) => writeAddAffine(formula(body, field, scratch)));
  module.add('addPoint', 3, (body) => writeAddPoint(formula(body, field, scratch)));
}

/** Steps of a formula by the names of its variables: X1 is a coordinate of the first operand, X3 of the result. */
interface Formula {
  mul(result: string, a: string, b: string): void;
  sqr(result: string, a: string): void;
  add(result: string, a: string, b: string): void;
  sub(result: string, a: string, b: string): void;
}

function formula(body: FunctionBody, field: FieldFunctions, scratch: number): Formula {
  const temporaries: string[] = [];
  const place = (name: string): Place => {
    const coordinate = /^([XYZ])([123])$/.exec(name);
    if (coordinate !== null) {
      const offset = ELEMENT_BYTES * 'XYZ'.indexOf(coordinate[1] as string);
      return { parameter: coordinate[2] === '3' ? 0 : Number(coordinate[2]), offset };
    }
    if (!temporaries.includes(name)) temporaries.push(name);
    return { offset: scratch + ELEMENT_BYTES * temporaries.indexOf(name) };
  };
  const binary = (index: number) => (result: string, a: string, b: string) => {
    body.call(index, place(result), place(a), place(b));
  };
  return {
    mul: binary(field.multiply),
    add: binary(field.add),
    sub: binary(field.subtract),
    sqr: (result, a) => void body.call(field.square, place(result), place(a)),
  };
}

/** Explicit-Formulas Database, dbl-2009-l for a = 0. The result may be the operand. */
function writeDouble({ mul, sqr, add, sub }: Formula): void {
  sqr('A', 'X1');
  sqr('B', 'Y1');
  sqr('C', 'B');
  add('D', 'X1', 'B');
  sqr('D', 'D');
  sub('D', 'D', 'A');
  sub('D', 'D', 'C');
  add('D', 'D', 'D');
  add('E', 'A', 'A');
  add('E', 'E', 'A');
  mul('Z', 'Y1', 'Z1');
  add('Z3', 'Z', 'Z');
  sqr('X3', 'E');
  sub('X3', 'X3', 'D');
  sub('X3', 'X3', 'D');
  sub('D', 'D', 'X3');
  mul('Y3', 'E', 'D');
  add('C', 'C', 'C');
  add('C', 'C', 'C');
  add('C', 'C', 'C');
  sub('Y3', 'Y3', 'C');
}

/** madd-2007-bl: the second operand is affine. The result may be the first operand. */
function writeAddAffine({ mul, sqr, add, sub }: Formula): void {
  sqr('ZZ', 'Z1');
  mul('U', 'X2', 'ZZ');
  mul('S', 'Z1', 'ZZ');
  mul('S', 'Y2', 'S');
  sub('H', 'U', 'X1');
  sqr('HH', 'H');
  add('I', 'HH', 'HH');
  add('I', 'I', 'I');
  mul('J', 'H', 'I');
  sub('r', 'S', 'Y1');
  add('r', 'r', 'r');
  mul('V', 'X1', 'I');
  add('Z', 'Z1', 'H');
  sqr('Z', 'Z');
  sub('Z', 'Z', 'ZZ');
  sub('Z3', 'Z', 'HH');
  sqr('X3', 'r');
  sub('X3', 'X3', 'J');
  sub('X3', 'X3', 'V');
  sub('X3', 'X3', 'V');
  mul('J', 'Y1', 'J');
  add('J', 'J', 'J');
  sub('V', 'V', 'X3');
  mul('Y3', 'r', 'V');
  sub('Y3', 'Y3', 'J');
}

/** add-2007-bl. The result may be the first operand. */
function writeAddPoint({ mul, sqr, add, sub }: Formula): void {
  sqr('ZZ', 'Z1');
  sqr('WW', 'Z2');
  mul('T', 'X1', 'WW');
  mul('U', 'X2', 'ZZ');
  mul('P', 'Z2', 'WW');
  mul('P', 'Y1', 'P');
  mul('S', 'Z1', 'ZZ');
  mul('S', 'Y2', 'S');
  sub('H', 'U', 'T');
  add('I', 'H', 'H');
  sqr('I', 'I');
  mul('J', 'H', 'I');
  sub('r', 'S', 'P');
  add('r', 'r', 'r');
  mul('V', 'T', 'I');
  add('Z', 'Z1', 'Z2');
  sqr('Z', 'Z');
  sub('Z', 'Z', 'ZZ');
  sub('Z', 'Z', 'WW');
  mul('Z3', 'Z', 'H');
  sqr('X3', 'r');
  sub('X3', 'X3', 'J');
  sub('X3', 'X3', 'V');
  sub('X3', 'X3', 'V');
  mul('P', 'P', 'J');
  add('P', 'P', 'P');
  sub('V', 'V', 'X3');
  mul('Y3', 'r', 'V');
  sub('Y3', 'Y3', 'P');
}
