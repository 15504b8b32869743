interface AbiType {
  readonly kind: string;
  readonly length?: number;
  readonly type?: AbiType;
  readonly fields?: readonly AbiPart[];
}

interface AbiPart {
  readonly name: string;
  readonly type: AbiType;
}

/**
 * Numbers of the first values of a witness by what they are, such as `operations.0.amount`.
 * @param abi - the interface of `main`
 */
export function witnessNames(abi: unknown): Map<string, number> {
  const { parameters } = abi as { readonly parameters: readonly AbiPart[] };
  const names = parameters.flatMap(({ name, type }) => namesOf(name, type));
  return new Map(names.map((name, index) => [name, index]));
}

function namesOf(name: string, { kind, length, type, fields }: AbiType): string[] {
  if (kind === 'field') return [name];
  if (kind === 'struct' && fields !== undefined)
    return fields.flatMap((field) => namesOf(`${name}.${field.name}`, field.type));
  if (kind === 'array' && type !== undefined)
    return Array.from({ length: length ?? 0 }, (_, index) => namesOf(`${name}.${index}`, type)).flat();
  throw new TypeError(`a parameter of kind ${kind}`);
}
