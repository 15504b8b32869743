import { nodeMethods, nodeStandardMethods, restrictedMethods } from '@tetrad/api-node';
import { signerMethods } from '@tetrad/api-signer';
import { coinMethods } from '@tetrad/api-wallet';
import { REQUEST_ERROR_CODES, type MethodDefinition, type MethodTable } from '@tetrad/rpc';
import { wireType } from './wire-types.js';

/** Standard methods of a node that the client calls beside those of the interface document; viem has the others. */
const CALLED_STANDARD_METHODS = [
  'chainExtension_generateExtensionApprovalUuid',
  'chainExtension_inspect',
  'chainPermission_explain',
  'chainPermission_previewChange',
  'eth_signTransaction',
  'rpc_modules',
];

/**
 * The methods that `libs/client` calls, as TypeScript types of their JSON (docs/adr/0245). They are the client's own source, since
 * what it publishes depends on no package of this repository.
 */
export function clientMethods(): string {
  const objects = new ParameterObjects();
  const standard = Object.entries(nodeStandardMethods).filter(([name]) =>
    CALLED_STANDARD_METHODS.includes(name),
  );
  const ofNode = { ...nodeMethods, ...restrictedMethods, ...Object.fromEntries(standard) };
  const ofSigner = { eea_sendTransaction: signerMethods.eea_sendTransaction };
  const interfaces = [
    interfaceOf(
      objects,
      'NodeMethods',
      'Methods of a node: parameters, result, reasons of rejections.',
      ofNode,
    ),
    interfaceOf(objects, 'SignerMethods', 'Methods of a signer that a node does not have.', ofSigner),
    interfaceOf(objects, 'WalletMethods', 'Methods of a wallet of a coin network.', coinMethods),
  ];
  return [
    '// Generated from libs/api by `node libs/reference/dist/main.js`.',
    "import type { Address, Hash, Hex } from 'viem';",
    '',
    '/** Why a rule rejects a request: `error.data.reason`. */',
    `export type ErrorReason = ${Object.keys(REQUEST_ERROR_CODES).sort().map(quoted).join(' | ')};`,
    '',
    ...objects.declarations(),
    ...interfaces,
  ].join('\n');
}

const quoted = (text: string) => `'${text}'`;

/** Objects that parameters are, each declared once: many methods take the same transaction. */
class ParameterObjects {
  private readonly names = new Map<string, string>();

  /** The name of the type, or the type itself where it is no object. */
  typeOf(parameter: string, type: string): string {
    if (!type.startsWith('{')) return type;
    const known = this.names.get(type);
    if (known !== undefined) return known;
    const base = `${parameter.slice(0, 1).toUpperCase()}${parameter.slice(1)}Parameter`;
    const taken = [...this.names.values()].filter((name) => name.startsWith(base)).length;
    const name = taken === 0 ? base : `${base}${taken + 1}`;
    this.names.set(type, name);
    return name;
  }

  declarations(): string[] {
    return [...this.names].map(([type, name]) => `export interface ${name} ${type}\n`);
  }
}

function interfaceOf(objects: ParameterObjects, name: string, summary: string, methods: MethodTable): string {
  const members = Object.entries(methods)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([method, definition]) => memberOf(objects, method, definition));
  return `/** ${summary} */\nexport interface ${name} {\n${members.join('\n')}\n}\n`;
}

function memberOf(
  objects: ParameterObjects,
  method: string,
  { summary, params, result, errors }: MethodDefinition,
): string {
  const parameters = params.map(({ name, schema, optional }) => {
    const type = objects.typeOf(name, wireType(schema));
    return optional ? `${name}?: ${type} | null | undefined` : `${name}: ${type}`;
  });
  const reasons = [...new Set(errors)].sort().map(quoted).join(' | ');
  return [
    `/** ${summary} */`,
    `${quoted(method)}: {`,
    `Parameters: [${parameters.join(', ')}];`,
    `ReturnType: ${wireType(result)};`,
    `Reasons: ${reasons === '' ? 'never' : reasons};`,
    '};',
  ].join('\n');
}
