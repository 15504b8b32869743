import { readFileSync, statSync } from 'node:fs';
import { OptionError, reasonOf } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';

type Environment = Readonly<Record<string, string | undefined>>;

const FLAG = '--endpoints-file';
const VARIABLE = 'TETRAD_ROLLUP_CLIENT_ENDPOINTS_FILE';
/** A network has a hundred nodes at most. */
const MAX_BYTES = 1_048_576;

interface Places {
  readonly chain: string;
  /** Undefined when the network has none. */
  readonly rollup: { readonly rpc: string; readonly contract: string } | undefined;
}

/**
 * The variables of a command, with the places that the endpoints file names where no variable does; flags win over both.
 *
 * @param argv the words after the command's name
 * @param environment the variables of the process
 * @returns the variables for the command
 * @throws OperatorError or OptionError that names the file
 */
export function withEndpoints(argv: readonly string[], environment: Environment): Environment {
  const path = givenFile(argv) ?? environment[VARIABLE];
  if (path === undefined) return environment;
  const { chain, rollup } = readEndpoints(path);
  if (rollup === undefined)
    throw new OperatorError(
      `${FLAG}: the network of ${path} has no rollup operator; --services of up names it`,
    );
  return {
    TETRAD_ROLLUP_CLIENT_CHAIN_URL: chain,
    TETRAD_ROLLUP_CLIENT_CONTRACT: rollup.contract,
    TETRAD_ROLLUP_CLIENT_OPERATOR_URL: rollup.rpc,
    ...environment,
  };
}

function givenFile(argv: readonly string[]): string | undefined {
  const place = argv.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  const word = argv[place];
  if (word === undefined) return undefined;
  return word === FLAG ? argv[place + 1] : word.slice(FLAG.length + 1);
}

function readEndpoints(path: string): Places {
  let text: string;
  try {
    if (statSync(path).size > MAX_BYTES) throw new OptionError(FLAG, `${path} exceeds ${MAX_BYTES} bytes`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof OptionError) throw error;
    throw new OperatorError(`${FLAG}: cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
  const places = placesOf(parseJson(text));
  if (places !== undefined) return places;
  throw new OperatorError(`${FLAG}: ${path} is not a file that ./tetrad up ${FLAG} writes`);
}

/** @returns undefined for another file */
function placesOf(json: unknown): Places | undefined {
  const { nodes, rollup } = asObject(json);
  const { rpc: chain } = asObject(Array.isArray(nodes) ? nodes[0] : undefined);
  if (typeof chain !== 'string') return undefined;
  if (rollup === null) return { chain, rollup: undefined };
  const { rpc, contract } = asObject(rollup);
  return typeof rpc === 'string' && typeof contract === 'string'
    ? { chain, rollup: { rpc, contract } }
    : undefined;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
