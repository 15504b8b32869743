import { WitnessSolver, loadCircuit, type BatchWitness } from '@tetrad/rollup-circuits';
import type { OperationKind } from '@tetrad/rollup-crypto';
import { ConstraintSystem } from '../../circuits/test/acir/constraint-system.js';
import { readAcir, type Acir } from '../../circuits/test/acir/read-acir.js';
import { readValues } from '../../circuits/test/acir/solved-values.js';
import { witnessNames } from '../../circuits/test/acir/witness-names.js';
import { sizeOf } from './batch-of-each-kind.js';

/** Of the public inputs of a batch: what the contract knows by itself. The others are claims of who submits it. */
const GIVEN = ['previous_state_root', 'height', 'domain', 'inbound_from', 'challenge'];

/** The built circuit of one size, and its constraints as an attacker sees them. */
export class AttackedCircuit {
  private constructor(
    readonly acir: Acir,
    /** Numbers of the inputs in the witness. */
    readonly names: ReadonlyMap<string, number>,
    /** Numbers of what is not a claim, and not a hint: claims follow from what the attacker changes. */
    readonly free: readonly number[],
    readonly system: ConstraintSystem,
    private readonly solver: WitnessSolver,
  ) {}

  static async open(size: number): Promise<AttackedCircuit> {
    const circuit = await loadCircuit(size);
    const acir = readAcir(circuit.bytecode);
    const names = witnessNames(circuit.abi);
    const given = new Set(GIVEN.map((name) => names.get(name)));
    const free = acir.inputs.filter((input) => !acir.publicInputs.includes(input) || given.has(input));
    const system = new ConstraintSystem(acir, free);
    return new AttackedCircuit(acir, names, free, system, await WitnessSolver.open(circuit));
  }

  /** All values of an honest witness. */
  async solve(witness: BatchWitness): Promise<bigint[]> {
    return readValues(await this.solver.solve(witness));
  }
}

/** The circuits of the batches of each kind. */
export class AttackedCircuits {
  private constructor(
    readonly one: AttackedCircuit,
    readonly two: AttackedCircuit,
  ) {}

  static async open(): Promise<AttackedCircuits> {
    return new AttackedCircuits(await AttackedCircuit.open(1), await AttackedCircuit.open(2));
  }

  of(kind: OperationKind): AttackedCircuit {
    return sizeOf(kind) === 1 ? this.one : this.two;
  }
}
