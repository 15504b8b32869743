import { z } from 'zod';
import type { MethodDefinition, MethodTable } from './define-method.js';
import { requestErrorCode } from './error-codes.js';

export interface OpenRpcInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** An OpenRPC 1.3 document of the methods, in alphabetical order. */
export function createOpenRpcDocument(info: OpenRpcInfo, methods: MethodTable): Record<string, unknown> {
  return {
    openrpc: '1.3.2',
    info,
    methods: Object.entries(methods)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, definition]) => describeMethod(name, definition)),
  };
}

function describeMethod(name: string, definition: MethodDefinition): Record<string, unknown> {
  return {
    name,
    summary: definition.summary,
    paramStructure: 'either',
    params: definition.params.map(({ name: param, summary, schema, optional }) => ({
      name: param,
      summary,
      required: !optional,
      schema: wireSchema(schema),
    })),
    result: { name: 'result', schema: wireSchema(definition.result) },
    // OpenRPC wants one error per code, and several reasons share one.
    'x-refusals': definition.errors.map((reason) => ({ reason, code: requestErrorCode(reason) })),
    'x-accepts': definition.accepts.map(({ what, source }) => ({ what, source })),
    ...(definition.caller === undefined ? {} : { 'x-caller': definition.caller }),
    ...(definition.permission === undefined ? {} : { 'x-permission': definition.permission }),
    'x-source': definition.source,
    examples: definition.examples.map(({ summary, params, result }) => ({
      name: summary,
      params: params.map((value, index) => ({
        name: definition.params[index]?.name ?? `param${index}`,
        value,
      })),
      result: { name: 'result', value: result },
    })),
  };
}

/** JSON Schema of what goes over the wire. */
function wireSchema(schema: z.ZodType): unknown {
  const described: Record<string, unknown> = {
    ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  };
  delete described['$schema'];
  return described;
}
